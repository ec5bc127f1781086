#include "formats/tinygrad/v2026_08/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "formats/tinygrad/printing/graph_text.h"
#include "formats/tinygrad/python/text.h"
#include "formats/tinygrad/v2026_08/dtype.h"

namespace vizd::tinygrad_2026_08 {
namespace {

constexpr std::string_view kEllipsis = "\u2026";
constexpr std::string_view kConstFloat = "tinygrad.dtype.ConstFloat";
constexpr std::string_view kMetadata = "tinygrad.helpers.Metadata";
constexpr std::string_view kParamArg = "tinygrad.uop.ops.ParamArg";

std::string_view class_of(std::string_view type_name) { return type_name.substr(type_name.rfind('.') + 1); }

// A dataclass that prints as Python makes it: Class(field=value, …), with what its fields are where a capture that was
// pickled by an older process lacks them.
bool is_plain_dataclass(std::string_view type_name) {
  constexpr std::array<std::string_view, 5> kNames = {"tinygrad.uop.ops.KernelInfo", "tinygrad.uop.ops.ProgramInfo",
                                                      "tinygrad.schedule.indexing.BufferizeOpts",
                                                      "tinygrad.renderer.Estimates", "tinygrad.helpers.TracingKey"};
  return std::ranges::find(kNames, type_name) != kNames.end();
}

bool is_object_of(const ValueTable& values, ValueId value, std::string_view type_name) {
  return values.kind(value) == ValueKind::kObject && values.type_name(value) == type_name;
}

bool is_true(const ValueTable& values, ValueId value) {
  return values.kind(value) == ValueKind::kBool && values.as_bool(value);
}

}  // namespace

bool is_real(const ValueTable& values, ValueId value) {
  return values.kind(value) == ValueKind::kFloat || is_object_of(values, value, kConstFloat);
}

double real_of(const ValueTable& values, ValueId value) {
  if (!is_object_of(values, value, kConstFloat)) return values.as_real(value);
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

std::string ValueText::str(ValueId value) const {
  std::string out;
  append_str(out, value, 0);
  return out;
}

std::string ValueText::repr(ValueId value) const {
  std::string out;
  append_repr(out, value, 0);
  return out;
}

std::string ValueText::graph(OpId root) const {
  std::string out;
  append_graph(out, root, 0);
  return out;
}

void ValueText::append_str(std::string& out, ValueId value, int depth) const {
  if (values_.kind(value) == ValueKind::kString) {
    out += values_.text(value);
  } else if (is_object_of(values_, value, kConstFloat)) {
    out += python::float_repr(real_of(values_, value));
  } else if (values_.kind(value) == ValueKind::kEnum) {
    fmt::format_to(std::back_inserter(out), "{}.{}", class_of(values_.type_name(value)), values_.text(value));
  } else if (is_object_of(values_, value, kMetadata)) {
    append_str(out, values_.field(value, "name"), depth + 1);
    if (is_true(values_, values_.field(value, "backward"))) out += " bw";
  } else {
    append_repr(out, value, depth);
  }
}

void ValueText::append_repr(std::string& out, ValueId value, int depth) const {
  if (depth > kMaxDepth || out.size() > kMaxBytes) {
    out += kEllipsis;
    return;
  }
  switch (values_.kind(value)) {
    case ValueKind::kNone:
      out += "None";
      return;
    case ValueKind::kBool:
      out += values_.as_bool(value) ? "True" : "False";
      return;
    case ValueKind::kInt:
      fmt::format_to(std::back_inserter(out), "{}", values_.as_int(value));
      return;
    case ValueKind::kBigInt:
      out += values_.text(value);
      return;
    case ValueKind::kFloat:
      out += python::float_repr(values_.as_real(value));
      return;
    case ValueKind::kString:
      out += python::string_repr(values_.text(value));
      return;
    case ValueKind::kBytes:
      out += python::bytes_repr(values_.text(value));
      return;
    case ValueKind::kTuple:
      return append_items(out, "(", value, values_.items(value).size() == 1 ? ",)" : ")", depth);
    case ValueKind::kList:
      return append_items(out, "[", value, "]", depth);
    case ValueKind::kSet:
      if (!values_.items(value).empty()) return append_items(out, "{", value, "}", depth);
      out += "set()";
      return;
    case ValueKind::kDict:
      return append_items(out, "{", value, "}", depth);
    case ValueKind::kEnum:  // Ops, AxisType and AddrSpace print alike under str() and repr()
      if (values_.type_name(value) != "tinygrad.codegen.opt.OptOps") return append_str(out, value, depth);
      fmt::format_to(std::back_inserter(out), "<OptOps.{}: {}>", values_.text(value), values_.as_int(value));
      return;
    case ValueKind::kObject:
      return append_object(out, value, depth);
    case ValueKind::kOp:
      return append_graph(out, values_.as_op(value), depth + 1);
  }
}

void ValueText::append_items(std::string& out, std::string_view open, ValueId sequence, std::string_view close,
                             int depth) const {
  const auto items = values_.items(sequence);
  const bool is_dict = values_.kind(sequence) == ValueKind::kDict;
  out += open;
  for (std::size_t i = 0; i < items.size() && out.size() <= kMaxBytes; ++i) {
    if (i != 0) out += is_dict && i % 2 == 1 ? ": " : ", ";
    append_repr(out, items[i], depth + 1);
  }
  out += close;
}

void ValueText::append_object(std::string& out, ValueId object, int depth) const {
  const std::string_view type_name = values_.type_name(object);
  const auto field = [&](std::string_view name) { return values_.field(object, name); };
  if (type_name == "tinygrad.dtype.DType") {
    out += dtype_text(values_, object);
  } else if (type_name == kConstFloat) {
    fmt::format_to(std::back_inserter(out), "ConstFloat({})", python::float_repr(real_of(values_, object)));
  } else if (type_name == "tinygrad.dtype.InvalidType") {
    out += "Invalid";
  } else if (type_name == kParamArg) {
    append_param(out, object, depth);
  } else if (type_name == "tinygrad.helpers.Target") {
    append_target(out, object);
  } else if (is_plain_dataclass(type_name)) {
    append_dataclass(out, class_of(type_name), object, depth);
  } else if (type_name == "tinygrad.uop.ops.CallInfo") {
    out += "CallInfo(None, ";
    append_repr(out, field("name"), depth + 1);
    for (const std::string_view name : {"precompile", "precompile_backward"}) {
      out += ", ";
      append_str(out, field(name), depth + 1);
    }
    out += ")";
  } else if (type_name == "tinygrad.codegen.opt.Opt") {
    for (const std::string_view name : {"op", "axis", "arg"}) {
      out += name == "op" ? "Opt(op=" : fmt::format(", {}=", name);
      append_str(out, field(name), depth + 1);
    }
    out += ")";
  } else if (type_name == kMetadata) {
    append_dataclass(out, "Metadata", object, depth);
  } else if (type_name == "decimal.Decimal" && values_.items(object).size() == 2) {
    out += "Decimal(";
    append_repr(out, values_.items(object)[1], depth + 1);
    out += ")";
  } else {
    fmt::format_to(std::back_inserter(out), "<{}>", type_name);
  }
}

void ValueText::append_dataclass(std::string& out, std::string_view class_name, ValueId object, int depth) const {
  fmt::format_to(std::back_inserter(out), "{}(", class_name);
  const auto items = values_.items(object);
  bool first = true;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (values_.kind(items[i]) != ValueKind::kString) continue;
    fmt::format_to(std::back_inserter(out), "{}{}=", first ? "" : ", ", values_.text(items[i]));
    append_repr(out, items[i + 1], depth + 1);
    first = false;
  }
  out += ")";
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

std::string ValueText::op_head(Ops op, std::string_view dtype, std::string_view argument, std::string_view tag) {
  return fmt::format("UOp(Ops.{}, {}, arg={}{}{}, src=(", op_name(op), dtype, argument,
                     tag.empty() ? "" : ", tag=", tag);
}

std::string ValueText::op_head(OpId id, int depth) const {
  const Op op = graph_.op(id);
  const auto kind = static_cast<Ops>(op.kind);
  std::string tag;
  if (op.tag != kNoneValue) append_str(tag, op.tag, depth);
  return op_head(kind, str(op.dtype), argument(kind, op.arg, depth), tag);
}

void ValueText::append_graph(std::string& out, OpId root, int depth) const {
  if (depth > kMaxDepth) {
    out += kEllipsis;
    return;
  }
  tinygrad::append_graph_text(
      out, graph_, root, "", [&](std::string& text, OpId op) { text += op_head(op, depth); }, kMaxBytes);
}

}  // namespace vizd::tinygrad_2026_08
