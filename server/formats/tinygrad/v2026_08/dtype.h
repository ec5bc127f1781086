// tinygrad's dtypes at 2026-08, read from the values a capture holds them as (objects tinygrad.dtype.DType): scalars
// only, ordered in a lattice by what holds the values of what. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>

#include "formats/tinygrad/symbolic/scalar.h"
#include "formats/tinygrad/v2026_08/ops.h"
#include "model/value.h"

namespace vizd::tinygrad_2026_08 {

// All but what 2025 alone has.
inline constexpr int kDTypeCount = static_cast<int>(Scalar::kFloat64) + 1;

// least_upper_dtype: the smallest dtype that holds the values of both; nothing where tinygrad raises.
std::optional<Scalar> least_upper(Scalar a, Scalar b);
// least_upper_float
std::optional<Scalar> least_upper_float(Scalar scalar);
bool casts_without_loss(Scalar from, Scalar to);

// dtype.const(value): the number as a constant of the dtype.
Number as_const(const Number& value, Scalar scalar);
// The number as a float of this width holds it (tinygrad's truncate); the number itself for any other dtype.
double rounded(double value, Scalar scalar);

// The scalar of a DType; kOther for another value.
Scalar read_scalar(const ValueTable& values, ValueId dtype);
// repr(dtype): "dtypes.float". Of a dtype whose name is not known, that.
std::string dtype_text(const ValueTable& values, ValueId dtype);
// The value that a capture holds such a dtype as.
ValueId add_dtype(ValueTable& values, Scalar scalar);

}  // namespace vizd::tinygrad_2026_08
