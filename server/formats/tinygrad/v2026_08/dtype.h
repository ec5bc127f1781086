// tinygrad's dtypes at 2026-08, read from the values a capture holds them as (objects tinygrad.dtype.DType): scalars
// only, ordered in a lattice by what holds the values of what. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/tinygrad/python/number.h"
#include "model/value.h"

namespace vizd::tinygrad_2026_08 {

using python::Number;
using python::Wide;

// In the order in which tinygrad declares them; kOther for a name that is not known.
enum class Scalar : std::uint8_t {
  kOther,
  kVoid,
  kWeakint,
  kBool,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kUint128,
  kUint256,
  kWeakfloat,
  kFp8e4m3,
  kFp8e5m2,
  kFp8e4m3fnuz,
  kFp8e5m2fnuz,
  kFloat16,
  kBfloat16,
  kFloat32,
  kFloat64,
};

inline constexpr int kScalarCount = static_cast<int>(Scalar::kFloat64) + 1;

// What a DType is made with: its place in the order, its width, its name in C, and its letter in Python's struct.
struct ScalarInfo {
  std::string_view c_name, name;
  int priority;
  int bits;
  std::string_view format;  // empty for none
};
const ScalarInfo& scalar_info(Scalar scalar);

bool is_int(Scalar scalar);  // weakint too, bool not
bool is_unsigned(Scalar scalar);
bool is_float(Scalar scalar);  // weakfloat too
inline bool is_weak(Scalar scalar) { return scalar == Scalar::kWeakint || scalar == Scalar::kWeakfloat; }
// A dtype that values are kept in: not void, weak, or wider than the machine's.
bool is_concrete(Scalar scalar);
std::int64_t item_size_bytes(Scalar scalar);
// DType.__lt__: by priority, width, name.
bool comes_before(Scalar a, Scalar b);

// least_upper_dtype: the smallest dtype that holds the values of both; nothing where tinygrad raises.
std::optional<Scalar> least_upper(Scalar a, Scalar b);
// least_upper_float
std::optional<Scalar> least_upper_float(Scalar scalar);
Scalar weak_of(Scalar scalar);  // weak_dtype
bool casts_without_loss(Scalar from, Scalar to);

// dtype.const(value): the number as a constant of the dtype.
Number as_const(const Number& value, Scalar scalar);
// The number as a float of this width holds it (tinygrad's truncate); the number itself for any other dtype.
double rounded(double value, Scalar scalar);
// dtype.min and dtype.max
Number least(Scalar scalar);
Number greatest(Scalar scalar);

// The scalar of a DType; kOther for another value.
Scalar read_scalar(const ValueTable& values, ValueId dtype);
// repr(dtype): "dtypes.float". Of a dtype whose name is not known, that.
std::string dtype_text(const ValueTable& values, ValueId dtype);
std::string scalar_text(Scalar scalar);
// The value that a capture holds such a dtype as.
ValueId add_dtype(ValueTable& values, Scalar scalar);

}  // namespace vizd::tinygrad_2026_08
