// Scalar: the dtypes of tinygrad's numbers, of all its versions, and what follows from a dtype alone. Pure functions,
// any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/tinygrad/python/number.h"

namespace vizd::tinygrad {

using python::Number;
using python::Wide;

// In the order in which tinygrad declares them; kOther for a name that is not known. Indices are of kIndex in 2025, of
// kWeakint in 2026.
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
  kIndex,
};

inline constexpr int kScalarCount = static_cast<int>(Scalar::kIndex) + 1;

// What a DType is made with: its place in the order, its width, its name in C, and its letter in Python's struct.
struct ScalarInfo {
  std::string_view c_name, name;
  int priority;
  int bits;
  std::string_view format;  // empty for none
};
const ScalarInfo& scalar_info(Scalar scalar);
// By the name in C; kOther where there is none.
Scalar scalar_called(std::string_view c_name);

bool is_int(Scalar scalar);  // those of indices too, bool not
bool is_unsigned(Scalar scalar);
bool is_float(Scalar scalar);  // weakfloat too
inline bool is_weak(Scalar scalar) { return scalar == Scalar::kWeakint || scalar == Scalar::kWeakfloat; }
// weak_dtype: what a Python number becomes beside it; itself where there is none.
Scalar weak_of(Scalar scalar);
std::int64_t item_size_bytes(Scalar scalar);
// DType.__lt__: by priority, width, name.
bool comes_before(Scalar a, Scalar b);
// dtype.min and dtype.max
Number least(Scalar scalar);
Number greatest(Scalar scalar);
// "dtypes.float"
std::string scalar_text(Scalar scalar);

}  // namespace vizd::tinygrad
