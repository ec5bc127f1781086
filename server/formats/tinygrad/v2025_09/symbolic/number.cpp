#include "formats/tinygrad/v2025_09/symbolic/number.h"

#include <limits>

namespace vizd::tinygrad_2025_09 {

Number as_const(const Number& value, Scalar scalar) {
  if (value.is_invalid()) return value;
  if (is_int(scalar)) return Number::of(value.is_integer() ? value.integer : python::truncated(value.real));
  return is_float(scalar) ? Number::of_real(value.as_real()) : Number::of_bool(value.truthy());
}

Number least(Scalar scalar) {
  if (is_float(scalar)) return Number::of_real(-std::numeric_limits<double>::infinity());
  if (!is_int(scalar)) return Number::of_bool(false);
  if (is_unsigned(scalar)) return Number::of(0);
  return Number::of(scalar == Scalar::kIndex ? -kHuge : -(Wide{1} << (item_size(scalar) * 8 - 1)));
}

Number greatest(Scalar scalar) {
  if (is_float(scalar)) return Number::of_real(std::numeric_limits<double>::infinity());
  if (!is_int(scalar)) return Number::of_bool(true);
  if (scalar == Scalar::kIndex) return Number::of(kHuge);
  const auto bits = item_size(scalar) * 8 - (is_unsigned(scalar) ? 0 : 1);
  return Number::of((Wide{1} << bits) - 1);
}

}  // namespace vizd::tinygrad_2025_09
