// Number: a constant as Python has it (int, bool or float, or tinygrad's Invalid), with the arithmetic that tinygrad's
// symbolic rules do on it. Integers are exact up to 2^125 and stay there: only the bounds of the dtypes of indices
// (±2^799) are further out, and those are compared, never printed. Pure values, any thread.
#pragma once

#include <cstdint>
#include <string>

namespace vizd::python {

__extension__ using Wide = __int128;

inline constexpr Wide kHuge = Wide{1} << 125;

// Saturating arithmetic.
Wide wide_add(Wide a, Wide b);
Wide wide_mul(Wide a, Wide b);
// Python's // and %: towards minus infinity, the sign of the divisor. b must not be 0.
Wide floor_div(Wide a, Wide b);
Wide floor_mod(Wide a, Wide b);
// tinygrad's helpers.cdiv and cmod: towards zero; by zero, 0 and a.
Wide c_div(Wide a, Wide b);
Wide c_mod(Wide a, Wide b);
// The greatest common divisor, never negative.
Wide wide_gcd(Wide a, Wide b);
// int(x) of a float; out of range stays at the end of the range, and NaN, which Python refuses, is 0.
Wide truncated(double value);
std::string wide_text(Wide value);

struct Number {
  enum class Kind : std::uint8_t { kInt, kBool, kFloat, kInvalid };

  Kind kind = Kind::kInt;
  Wide integer = 0;  // of a bool 0 or 1
  double real = 0;

  static Number of(Wide value) { return {.integer = value}; }
  static Number of_bool(bool value) { return {.kind = Kind::kBool, .integer = value ? 1 : 0}; }
  static Number of_real(double value) { return {.kind = Kind::kFloat, .real = value}; }
  static Number invalid() { return {.kind = Kind::kInvalid}; }

  bool is_invalid() const { return kind == Kind::kInvalid; }
  bool is_integer() const { return kind == Kind::kInt || kind == Kind::kBool; }
  bool truthy() const { return kind == Kind::kFloat ? real != 0 : integer != 0; }
  double as_real() const { return kind == Kind::kFloat ? real : static_cast<double>(integer); }
};

// Python's ==, <, + and *; numbers only. Sums of bools are ints.
bool equal(const Number& a, const Number& b);
bool less(const Number& a, const Number& b);
Number add(const Number& a, const Number& b);
Number multiply(const Number& a, const Number& b);
// The first of equals, as Python's min() and max().
const Number& lesser(const Number& a, const Number& b);
const Number& greater(const Number& a, const Number& b);

// str(number)
std::string number_text(const Number& value);

}  // namespace vizd::python
