#include "formats/tinygrad/v2025_09/dtype.h"

#include <fmt/core.h>

namespace vizd::tinygrad_2025_09 {
namespace {

bool is_object(const ValueTable& values, ValueId id, std::string_view type_name) {
  return values.kind(id) == ValueKind::kObject && values.type_name(id) == type_name;
}

bool is_number(const ValueTable& values, ValueId id) { return values.kind(id) == ValueKind::kInt; }

std::int64_t int_field(const ValueTable& values, ValueId object, std::string_view name, std::int64_t otherwise) {
  const ValueId field = values.field(object, name);
  return is_number(values, field) ? values.as_int(field) : otherwise;
}

std::string_view text_field(const ValueTable& values, ValueId object, std::string_view name) {
  const ValueId field = values.field(object, name);
  const ValueKind kind = values.kind(field);
  return kind == ValueKind::kString || kind == ValueKind::kEnum ? values.text(field) : std::string_view();
}

// The scalar that a vector's _scalar leads to, or the value itself.
ValueId scalar_of(const ValueTable& values, ValueId dtype) {
  const ValueId scalar = values.field(dtype, "_scalar");
  return scalar == kNoneValue ? dtype : scalar;
}

std::string tuple_text(const ValueTable& values, ValueId tuple) {
  std::string text;
  for (const ValueId item : values.items(tuple)) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", values.as_int(item));
  }
  return values.items(tuple).size() == 1 ? fmt::format("({},)", text) : fmt::format("({})", text);
}

}  // namespace

DType read_dtype(const ValueTable& values, ValueId dtype) {
  DType read;
  if (is_object(values, dtype, "tinygrad.dtype.PtrDType")) read.form = DType::Form::kPointer;
  if (is_object(values, dtype, "tinygrad.dtype.ImageDType")) read.form = DType::Form::kImage;
  if (!read.is_pointer() && !is_object(values, dtype, "tinygrad.dtype.DType")) return read;
  read.item_size_bytes = int_field(values, dtype, "itemsize", 0);
  read.count = int_field(values, dtype, "count", 1);
  if (read.is_pointer()) {
    read.pointer_elements = int_field(values, dtype, "size", -1);
    read.in_registers = text_field(values, dtype, "addrspace") == "REG";
  } else {
    read.scalar = tinygrad::scalar_called(text_field(values, scalar_of(values, dtype), "name"));
  }
  return read;
}

std::string dtype_text(const ValueTable& values, ValueId dtype) {
  const DType read = read_dtype(values, dtype);
  const std::int64_t lanes = read.is_pointer() ? int_field(values, dtype, "v", 1) : read.count;
  const std::string vector = lanes != 1 && (read.is_pointer() || lanes > 1) ? fmt::format(".vec({})", lanes) : "";
  const std::string_view c_name = text_field(values, scalar_of(values, dtype), "name");
  if (read.form == DType::Form::kImage) {
    return fmt::format("dtypes.{}({}){}", text_field(values, dtype, "name"),
                       tuple_text(values, values.field(dtype, "shape")), vector);
  }
  if (read.form == DType::Form::kPlain) {
    return fmt::format("dtypes.{}{}", read.scalar == Scalar::kOther ? c_name : scalar_info(read.scalar).name, vector);
  }
  // A pointer's base is a plain type: the reference refuses a pointer to a pointer.
  const ValueId base = values.field(dtype, "_base");
  const std::string base_text = read_dtype(values, base).is_pointer() ? "dtypes." : dtype_text(values, base);
  const std::string_view space = text_field(values, dtype, "addrspace");
  return fmt::format("{}.ptr({}{}){}", base_text, read.pointer_elements,
                     space == "GLOBAL" ? "" : fmt::format(", AddrSpace.{}", space), vector);
}

}  // namespace vizd::tinygrad_2025_09
