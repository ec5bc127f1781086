#include "formats/tinygrad/v2026_08/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <optional>

#include "base/ascii_case.h"
#include "disasm/amd/instruction.h"
#include "formats/tinygrad/python/text.h"
#include "formats/tinygrad/v2026_08/dtype.h"

namespace vizd::tinygrad_2026_08 {
namespace {

constexpr std::string_view kConstFloat = "tinygrad.dtype.ConstFloat";
constexpr std::string_view kParamArg = "tinygrad.uop.ops.ParamArg";

// A dataclass that prints as Python makes it: Class(field=value, …), with what its fields are where a capture that was
// pickled by an older process lacks them.
bool is_plain_dataclass(std::string_view type_name) {
  constexpr std::array<std::string_view, 6> kNames = {
      "tinygrad.uop.ops.KernelInfo", "tinygrad.uop.ops.ProgramInfo", "tinygrad.schedule.indexing.BufferizeOpts",
      "tinygrad.renderer.Estimates", "tinygrad.helpers.TracingKey",  "tinygrad.helpers.Metadata"};
  return std::ranges::find(kNames, type_name) != kNames.end();
}

bool is_const_float(const ValueTable& values, ValueId value) {
  return values.kind(value) == ValueKind::kObject && values.type_name(value) == kConstFloat;
}

constexpr std::size_t kLongestInstruction = 16;

// A number's bytes, the least significant first; nothing where it is none or has more than an instruction.
std::optional<std::array<std::byte, kLongestInstruction>> bytes_of(const ValueTable& values, ValueId number) {
  std::array<std::byte, kLongestInstruction> bytes{};
  const ValueKind kind = values.kind(number);
  if (kind == ValueKind::kInt && values.as_int(number) >= 0) {
    const std::int64_t value = values.as_int(number);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  }
  if (kind != ValueKind::kBigInt) return std::nullopt;
  for (const char digit : values.text(number)) {
    if (!is_digit(digit)) return std::nullopt;
    auto carry = static_cast<unsigned>(digit - '0');
    for (std::byte& byte : bytes) {
      carry += 10 * std::to_integer<unsigned>(byte);
      byte = static_cast<std::byte>(carry & 0xFF);
      carry >>= 8;
    }
    if (carry != 0) return std::nullopt;
  }
  return bytes;
}

}  // namespace

bool is_real(const ValueTable& values, ValueId value) {
  return values.kind(value) == ValueKind::kFloat || is_const_float(values, value);
}

double real_of(const ValueTable& values, ValueId value) {
  if (!is_const_float(values, value)) return values.as_real(value);
  const ValueId bits = values.field(value, "bits");
  if (values.kind(bits) == ValueKind::kInt) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(values.as_int(bits)));
  }
  std::uint64_t wide = 0;  // of a negative number, whose bits are beyond int64
  if (values.kind(bits) == ValueKind::kBigInt) {
    for (const char digit : values.text(bits)) wide = wide * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return std::bit_cast<double>(wide);
}

bool ValueText::append_object_str(std::string& out, ValueId object, int depth) const {
  if (!is_const_float(values_, object)) return ValuePrinter::append_object_str(out, object, depth);
  out += python::float_repr(real_of(values_, object));
  return true;
}

// Ops, AxisType and AddrSpace print alike under str() and repr().
void ValueText::append_member(std::string& out, ValueId member) const {
  if (values_.type_name(member) == "tinygrad.codegen.opt.OptOps") return ValuePrinter::append_member(out, member);
  append_str(out, member, 0);
}

bool ValueText::append_own_object(std::string& out, ValueId object, int depth) const {
  const std::string_view type_name = values_.type_name(object);
  if (type_name == "tinygrad.dtype.DType" || type_name == "tinygrad.dtype.PtrDType") {
    out += dtype_text(values_, object);
  } else if (type_name == kConstFloat) {
    fmt::format_to(std::back_inserter(out), "ConstFloat({})", python::float_repr(real_of(values_, object)));
  } else if (type_name == kParamArg) {
    append_param(out, object, depth);
  } else if (type_name == "tinygrad.helpers.Target") {
    append_target(out, object);
  } else if (type_name.starts_with(kInstructionModules)) {
    return append_instruction(out, object);
  } else if (type_name == "tinygrad.renderer.isa.Register") {
    append_str(out, values_.field(object, "name"), depth + 1);
  } else if (is_plain_dataclass(type_name)) {
    append_dataclass(out, object, depth);
  } else if (type_name == "tinygrad.uop.ops.CallInfo") {
    out += "CallInfo(None, ";
    if (const ValueId metadata = values_.field(object, "metadata"); metadata != kNoneValue) {  // 0.13.0
      append_str(out, metadata, depth + 1);
      out += ", ";
    }
    append_repr(out, values_.field(object, "name"), depth + 1);
    for (const std::string_view name : {"precompile", "precompile_backward"}) {
      out += ", ";
      append_str(out, values_.field(object, name), depth + 1);
    }
    out += ")";
  } else {
    return false;
  }
  return true;
}

// ops.py ParamArg.__repr__: what differs from the usual.
void ValueText::append_param(std::string& out, ValueId object, int depth) const {
  out += "ParamArg(";
  append_repr(out, values_.field(object, "slot"), depth + 1);
  out += ", ";
  append_repr(out, values_.field(object, "dtype"), depth + 1);
  for (const std::string_view name : {"vmin_vmax", "multiple_of", "name", "addrspace", "axis", "device", "volatile"}) {
    const ValueId value = values_.field(object, name);
    const bool is_usual = name == "addrspace"  ? values_.kind(value) == ValueKind::kEnum && values_.as_int(value) == 1
                          : name == "volatile" ? value == kNoneValue || (values_.kind(value) == ValueKind::kBool &&
                                                                         !values_.as_bool(value))
                                               : value == kNoneValue;
    if (is_usual) continue;
    fmt::format_to(std::back_inserter(out), ", {}=", name);
    append_repr(out, value, depth + 1);
  }
  out += ")";
}

// dsl.py Inst.__repr__: by the class, which is the format, and the bits.
bool ValueText::append_instruction(std::string& out, ValueId object) const {
  constexpr std::string_view kBetween = ".ins.";
  std::string_view name = values_.type_name(object).substr(kInstructionModules.size());
  const std::size_t cut = name.find(kBetween);
  const auto family = amd::family_named(name.substr(0, cut));
  if (!family || cut == name.npos) return false;
  const amd::InstructionFormat* const format = amd::find_format(*family, name.substr(cut + kBetween.size()));
  const auto bytes = bytes_of(values_, values_.field(object, "_raw"));
  if (format == nullptr || !bytes) return false;
  out += amd::Instruction(*family, *format, *bytes).text();
  return true;
}

// helpers.py Target.__repr__: "interface:indices+device:renderer:arch", without what is empty at the ends.
void ValueText::append_target(std::string& out, ValueId object) const {
  const auto joined = [&](std::initializer_list<std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) {
      if (name != *names.begin()) text += ":";
      append_str(text, values_.field(object, name), 0);
    }
    while (text.ends_with(':')) text.pop_back();
    return text;
  };
  const std::string first = joined({"interface", "indices"});
  if (!first.empty()) out += first + "+";
  out += joined({"device", "renderer", "arch"});
}

// ops.py UOp.argstr
std::string ValueText::argument(Ops op, ValueId value, int depth) const {
  std::string text;
  if (op != Ops::kReduce || values_.kind(value) != ValueKind::kTuple) {
    append_repr(text, value, depth);
    return text;
  }
  for (const ValueId item : values_.items(value)) {
    text += text.empty() ? "(" : ", ";
    append_str(text, item, depth + 1);
  }
  return text.empty() ? "()" : text + ")";
}

std::string ValueText::op_head(std::string_view op, std::string_view dtype, std::string_view argument,
                               std::string_view tag) {
  return fmt::format("UOp(Ops.{}, {}, arg={}{}{}, src=(", op, dtype, argument, tag.empty() ? "" : ", tag=", tag);
}

void ValueText::append_op_head(std::string& out, OpId id, int depth) const {
  const Op op = graph_.op(id);
  const auto kind = static_cast<Ops>(op.kind);
  std::string tag;
  if (op.tag != kNoneValue) append_str(tag, op.tag, depth);
  out += op_head(name_of(kind), str(op.dtype), argument(kind, op.arg, depth), tag);
}

}  // namespace vizd::tinygrad_2026_08
