// tinygrad's dtypes, read from the values a capture holds them as (objects tinygrad.dtype.DType, PtrDType, ImageDType).
// Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/value.h"

namespace vizd::tinygrad_2025_09 {

// The scalar types, in the order of their priority; kOther for pointers, images and unknown names.
enum class Scalar : std::uint8_t {
  kOther,
  kVoid,
  kIndex,
  kBool,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFp8e4m3,
  kFp8e5m2,
  kFloat16,
  kBfloat16,
  kFloat32,
  kFloat64,
};

bool is_int(Scalar scalar);  // index too, bool not
bool is_unsigned(Scalar scalar);
bool is_float(Scalar scalar);
// In bytes; 100 for index, as in the reference.
std::int64_t item_size(Scalar scalar);
// "float", "uchar", …: what stands after "dtypes."; empty for kOther.
std::string_view scalar_name(Scalar scalar);

// One dtype. The views are of the value table it was read from.
struct DType {
  enum class Form : std::uint8_t { kPlain, kPointer, kImage };

  Form form = Form::kPlain;
  Scalar scalar = Scalar::kOther;     // of a plain type or a vector of it
  bool in_registers = false;          // AddrSpace.REG
  std::int64_t item_size_bytes = 0;   // of a vector: all of it
  std::int64_t count = 1;             // of a vector
  std::int64_t pointer_elements = 0;  // what a pointer points to; -1 where it has no limit

  bool is_pointer() const { return form != Form::kPlain; }
  bool is_void() const { return scalar == Scalar::kVoid; }
  // dtypes.is_float, where an image is one
  bool is_float() const { return form == Form::kImage || tinygrad_2025_09::is_float(scalar); }
};

// A value that is no dtype reads as one of Scalar::kOther.
DType read_dtype(const ValueTable& values, ValueId dtype);

// repr(dtype): "dtypes.float.vec(4)", "dtypes.int.ptr(16, AddrSpace.LOCAL)", …
std::string dtype_text(const ValueTable& values, ValueId dtype);

}  // namespace vizd::tinygrad_2025_09
