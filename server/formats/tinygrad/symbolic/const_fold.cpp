#include "formats/tinygrad/symbolic/const_fold.h"

#include <bit>
#include <cmath>
#include <limits>

namespace vizd::tinygrad {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Number integer_or_real(const Number& a, const Number& b, Wide integer, double real) {
  return a.is_integer() && b.is_integer() ? Number::of(integer) : Number::of_real(real);
}

std::optional<Number> unary(Ops op, const Number& x) {
  const double value = x.as_real();
  switch (op) {
    case Ops::kLog2:
      return Number::of_real(value > 0 ? std::log2(value) : value == 0 ? -kInfinity : kNan);
    case Ops::kExp2:
      return x.is_integer() && x.integer >= 0 && x.integer < 120 ? Number::of(Wide{1} << static_cast<int>(x.integer))
                                                                 : Number::of_real(std::exp2(value));
    case Ops::kSqrt:
      return Number::of_real(value >= 0 ? std::sqrt(value) : kNan);
    case Ops::kReciprocal:
      return Number::of_real(value != 0 ? 1 / value : std::copysign(kInfinity, value));
    case Ops::kSin:
      return Number::of_real(std::isinf(value) ? kNan : std::sin(value));
    case Ops::kTrunc:
      return x.is_integer() || !std::isfinite(value) ? x : Number::of(python::truncated(value));
    case Ops::kNeg:
      return x.is_integer() ? Number::of(-x.integer) : Number::of_real(-value);
    default:
      return std::nullopt;
  }
}

std::optional<Number> bits(Ops op, const Number& a, const Number& b) {
  if (!a.is_integer() || !b.is_integer()) return std::nullopt;
  const bool both_bool = a.kind == Number::Kind::kBool && b.kind == Number::Kind::kBool;
  const auto as = [&](Wide value) { return both_bool ? Number::of_bool(value != 0) : Number::of(value); };
  switch (op) {
    case Ops::kXor:
      return as(a.integer ^ b.integer);
    case Ops::kOr:
      return as(a.integer | b.integer);
    case Ops::kAnd:
      return as(a.integer & b.integer);
    case Ops::kShl:
      if (b.integer < 0) return std::nullopt;
      return Number::of(b.integer > 120 ? (a.integer == 0 ? 0 : python::kHuge)
                                        : python::wide_mul(a.integer, Wide{1} << static_cast<int>(b.integer)));
    case Ops::kShr:
      if (b.integer < 0) return std::nullopt;
      return Number::of(b.integer > 120 ? (a.integer < 0 ? -1 : 0) : a.integer >> static_cast<int>(b.integer));
    default:
      return std::nullopt;
  }
}

std::optional<Number> binary(Ops op, const Number& a, const Number& b) {
  if (a.is_invalid() || b.is_invalid()) return Number::invalid();
  const bool integers = a.is_integer() && b.is_integer();
  switch (op) {
    case Ops::kAdd:
      return add(a, b);
    case Ops::kSub:
      return integer_or_real(a, b, python::wide_add(a.integer, -b.integer), a.as_real() - b.as_real());
    case Ops::kMul:
      return multiply(a, b);
    case Ops::kCmpne:
      return Number::of_bool(!equal(a, b));
    case Ops::kCmpeq:
      return Number::of_bool(equal(a, b));
    case Ops::kCmplt:
      return Number::of_bool(less(a, b));
    case Ops::kMax:
      return greater(a, b);
    case Ops::kCdiv:
    case Ops::kCmod:
      if (!integers) return std::nullopt;
      return Number::of(op == Ops::kCdiv ? python::c_div(a.integer, b.integer) : python::c_mod(a.integer, b.integer));
    case Ops::kFloordiv:
      if (!integers) return std::nullopt;
      return Number::of(b.integer == 0 ? 0 : python::floor_div(a.integer, b.integer));
    case Ops::kFloormod:
      if (!integers) return std::nullopt;
      return Number::of(b.integer == 0 ? a.integer : python::floor_mod(a.integer, b.integer));
    default:
      return bits(op, a, b);
  }
}

std::uint64_t bits_of(double value, Scalar scalar) {
  return scalar == Scalar::kFloat32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                    : std::bit_cast<std::uint64_t>(value);
}

}  // namespace

std::optional<Number> fold_numbers(Ops op, std::span<const Number> operands) {
  if (operands.size() == 1 && is_unary(op)) return unary(op, operands[0]);
  if (operands.size() == 2 && is_binary(op)) return binary(op, operands[0], operands[1]);
  if (operands.size() != 3) return std::nullopt;
  if (op == Ops::kWhere) return operands[0].truthy() ? operands[1] : operands[2];
  if (op == Ops::kMulacc) return add(multiply(operands[0], operands[1]), operands[2]);
  return std::nullopt;
}

std::optional<Number> bitcast_number(const Number& value, Scalar from, Scalar to) {
  const int width = scalar_info(from).bits;
  const bool known = !scalar_info(from).format.empty() && !scalar_info(to).format.empty();
  // Half floats are never bits of an index.
  const bool is_plain = from != Scalar::kFloat16 && to != Scalar::kFloat16;
  if (!known || !is_plain || item_size_bytes(from) != item_size_bytes(to)) return std::nullopt;
  std::uint64_t bits = is_float(from) ? bits_of(value.as_real(), from) : static_cast<std::uint64_t>(value.integer);
  if (width < 64) bits &= (std::uint64_t{1} << width) - 1;
  if (to == Scalar::kFloat32) return Number::of_real(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (to == Scalar::kFloat64) return Number::of_real(std::bit_cast<double>(bits));
  if (to == Scalar::kBool) return Number::of_bool(bits != 0);
  const bool is_negative = !is_unsigned(to) && (bits >> (width - 1) & 1) != 0;
  return Number::of(static_cast<Wide>(bits) - (is_negative ? Wide{1} << width : 0));
}

}  // namespace vizd::tinygrad
