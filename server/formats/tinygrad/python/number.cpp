#include "formats/tinygrad/python/number.h"

#include <algorithm>
#include <cmath>

#include "formats/tinygrad/python/text.h"

namespace vizd::python {
namespace {

Wide clamped(Wide value) { return std::clamp(value, -kHuge, kHuge); }

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

}  // namespace

Wide truncated(double value) {
  constexpr double kEnd = 0x1p125;
  if (std::isnan(value)) return 0;
  return value >= kEnd ? kHuge : value <= -kEnd ? -kHuge : static_cast<Wide>(value);
}

Wide wide_add(Wide a, Wide b) { return clamped(a + b); }  // both are within ±2^125

Wide wide_mul(Wide a, Wide b) {
  Wide product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return (a < 0) == (b < 0) ? kHuge : -kHuge;
  return clamped(product);
}

Wide floor_div(Wide a, Wide b) {
  const Wide quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Wide floor_mod(Wide a, Wide b) { return a - floor_div(a, b) * b; }

Wide c_div(Wide a, Wide b) { return b == 0 ? 0 : a / b; }

Wide c_mod(Wide a, Wide b) { return b == 0 ? a : a % b; }

Wide wide_gcd(Wide a, Wide b) {
  a = magnitude(a), b = magnitude(b);
  while (b != 0) {
    const Wide rest = a % b;
    a = b, b = rest;
  }
  return a;
}

std::string wide_text(Wide value) {
  std::string digits;
  for (Wide rest = magnitude(value); digits.empty() || rest != 0; rest /= 10) {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
  }
  if (value < 0) digits += '-';
  std::ranges::reverse(digits);
  return digits;
}

bool equal(const Number& a, const Number& b) {
  if (a.is_invalid() || b.is_invalid()) return a.is_invalid() == b.is_invalid();
  return a.is_integer() && b.is_integer() ? a.integer == b.integer : a.as_real() == b.as_real();
}

bool less(const Number& a, const Number& b) {
  return a.is_integer() && b.is_integer() ? a.integer < b.integer : a.as_real() < b.as_real();
}

Number add(const Number& a, const Number& b) {
  if (a.is_integer() && b.is_integer()) return Number::of(wide_add(a.integer, b.integer));
  return Number::of_real(a.as_real() + b.as_real());
}

Number multiply(const Number& a, const Number& b) {
  if (a.is_integer() && b.is_integer()) return Number::of(wide_mul(a.integer, b.integer));
  return Number::of_real(a.as_real() * b.as_real());
}

const Number& lesser(const Number& a, const Number& b) { return less(b, a) ? b : a; }

const Number& greater(const Number& a, const Number& b) { return less(a, b) ? b : a; }

std::string number_text(const Number& value) {
  switch (value.kind) {
    case Number::Kind::kInt:
      return wide_text(value.integer);
    case Number::Kind::kBool:
      return value.integer != 0 ? "True" : "False";
    case Number::Kind::kFloat:
      return float_repr(value.real);
    default:
      return "Invalid";
  }
}

}  // namespace vizd::python
