#include "formats/tinygrad/v2026_08/earlier_dtype.h"

namespace vizd::tinygrad_2026_08 {

EarlierDType read_earlier_dtype(const ValueTable& values, ValueId dtype) {
  EarlierDType read;
  if (values.kind(dtype) != ValueKind::kObject) return read;
  const auto number = [&](std::string_view name, std::int64_t otherwise) {
    const ValueId field = values.field(dtype, name);
    return values.kind(field) == ValueKind::kInt ? values.as_int(field) : otherwise;
  };
  read.is_image = values.type_name(dtype) == "tinygrad.dtype.ImageDType";
  read.is_pointer = read.is_image || values.type_name(dtype) == "tinygrad.dtype.PtrDType";
  read.count = number("count", 1);
  read.bits = number("bitsize", 0);
  if (read.is_pointer) read.elements = number("size", -1);
  return read;
}

Scalar earlier_scalar(const ValueTable& values, ValueId dtype) {
  if (values.kind(dtype) != ValueKind::kObject || values.type_name(dtype) != "tinygrad.dtype.DType") {
    return Scalar::kOther;
  }
  const ValueId scalar = values.field(dtype, "_scalar");
  const ValueId name = values.field(scalar == kNoneValue ? dtype : scalar, "name");
  return values.kind(name) == ValueKind::kString ? tinygrad::scalar_called(values.text(name)) : Scalar::kOther;
}

}  // namespace vizd::tinygrad_2026_08
