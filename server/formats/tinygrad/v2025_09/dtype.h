// tinygrad's dtypes, read from the values a capture holds them as (objects tinygrad.dtype.DType, PtrDType, ImageDType).
// Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>

#include "formats/tinygrad/symbolic/scalar.h"
#include "model/value.h"

namespace vizd::tinygrad_2025_09 {

using tinygrad::Scalar;

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
  bool is_float() const { return form == Form::kImage || tinygrad::is_float(scalar); }
};

// A value that is no dtype reads as one of Scalar::kOther.
DType read_dtype(const ValueTable& values, ValueId dtype);

// repr(dtype): "dtypes.float.vec(4)", "dtypes.int.ptr(16, AddrSpace.LOCAL)", …
std::string dtype_text(const ValueTable& values, ValueId dtype);

}  // namespace vizd::tinygrad_2025_09
