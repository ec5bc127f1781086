#include "formats/tinygrad/v2025_09/dtype.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace vizd::tinygrad_2025_09 {
namespace {

struct ScalarInfo {
  std::string_view c_name;  // DType.name
  std::string_view name;    // in dtypes
  std::int64_t size_bytes;
};

constexpr std::array<ScalarInfo, 18> kScalars = {{
    {"", "", 0},
    {"void", "void", 0},
    {"index", "index", 100},
    {"bool", "bool", 1},
    {"signed char", "char", 1},
    {"unsigned char", "uchar", 1},
    {"short", "short", 2},
    {"unsigned short", "ushort", 2},
    {"int", "int", 4},
    {"unsigned int", "uint", 4},
    {"long", "long", 8},
    {"unsigned long", "ulong", 8},
    {"float8_e4m3", "fp8e4m3", 1},
    {"float8_e5m2", "fp8e5m2", 1},
    {"half", "half", 2},
    {"__bf16", "bfloat16", 2},
    {"float", "float", 4},
    {"double", "double", 8},
}};

const ScalarInfo& info(Scalar scalar) { return kScalars[static_cast<std::size_t>(scalar)]; }

Scalar scalar_called(std::string_view c_name) {
  const auto found = std::ranges::find(kScalars, c_name, &ScalarInfo::c_name);
  return found == kScalars.end() ? Scalar::kOther : static_cast<Scalar>(found - kScalars.begin());
}

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

bool is_int(Scalar scalar) {
  return scalar == Scalar::kIndex || (scalar >= Scalar::kInt8 && scalar <= Scalar::kUint64);
}

bool is_unsigned(Scalar scalar) {
  return scalar == Scalar::kUint8 || scalar == Scalar::kUint16 || scalar == Scalar::kUint32 ||
         scalar == Scalar::kUint64;
}

bool is_float(Scalar scalar) { return scalar >= Scalar::kFp8e4m3; }

std::int64_t item_size(Scalar scalar) { return info(scalar).size_bytes; }

std::string_view scalar_name(Scalar scalar) { return info(scalar).name; }

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
    read.scalar = scalar_called(text_field(values, scalar_of(values, dtype), "name"));
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
    return fmt::format("dtypes.{}{}", read.scalar == Scalar::kOther ? c_name : scalar_name(read.scalar), vector);
  }
  // A pointer's base is a plain type: the reference refuses a pointer to a pointer.
  const ValueId base = values.field(dtype, "_base");
  const std::string base_text = read_dtype(values, base).is_pointer() ? "dtypes." : dtype_text(values, base);
  const std::string_view space = text_field(values, dtype, "addrspace");
  return fmt::format("{}.ptr({}{}){}", base_text, read.pointer_elements,
                     space == "GLOBAL" ? "" : fmt::format(", AddrSpace.{}", space), vector);
}

}  // namespace vizd::tinygrad_2025_09
