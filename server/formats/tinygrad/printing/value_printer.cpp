#include "formats/tinygrad/printing/value_printer.h"

#include <fmt/format.h>

#include <iterator>

#include "formats/tinygrad/printing/graph_text.h"
#include "formats/tinygrad/python/text.h"
#include "formats/tinygrad/version.h"

namespace vizd::tinygrad {
namespace {

constexpr std::string_view kEllipsis = "\u2026";
constexpr std::string_view kMetadata = "tinygrad.helpers.Metadata";

}  // namespace

std::string_view class_name_of(std::string_view type_name) { return type_name.substr(type_name.rfind('.') + 1); }

std::string ValuePrinter::str(ValueId value) const {
  std::string out;
  append_str(out, value, 0);
  return out;
}

std::string ValuePrinter::repr(ValueId value) const {
  std::string out;
  append_repr(out, value, 0);
  return out;
}

std::string ValuePrinter::op_head(OpId op) const {
  std::string out;
  append_op_head(out, op, 0);
  return out;
}

std::string ValuePrinter::graph(OpId root) const {
  std::string out;
  append_graph(out, root, 0);
  return out;
}

void ValuePrinter::append_str(std::string& out, ValueId value, int depth) const {
  const ValueKind kind = values_.kind(value);
  if (kind == ValueKind::kString) {
    out += values_.text(value);
  } else if (kind == ValueKind::kEnum) {
    fmt::format_to(std::back_inserter(out), "{}.{}", class_name_of(values_.type_name(value)), values_.text(value));
  } else if (kind != ValueKind::kObject || !append_object_str(out, value, depth)) {
    append_repr(out, value, depth);
  }
}

bool ValuePrinter::append_object_str(std::string& out, ValueId object, int depth) const {
  if (!is_object_of(object, kMetadata)) return false;
  append_str(out, values_.field(object, "name"), depth + 1);
  if (is_true(values_.field(object, "backward"))) out += " bw";
  return true;
}

void ValuePrinter::append_repr(std::string& out, ValueId value, int depth) const {
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
    case ValueKind::kEnum:
      return append_member(out, value);
    case ValueKind::kObject:
      return append_object(out, value, depth);
    case ValueKind::kOp:
      return append_graph(out, values_.as_op(value), depth + 1);
  }
}

void ValuePrinter::append_items(std::string& out, std::string_view open, ValueId sequence, std::string_view close,
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

// As Python's own Enum prints; of one whose number is not known, its name.
void ValuePrinter::append_member(std::string& out, ValueId member) const {
  if (values_.as_int(member) >= EnumTable::kFirstUnknown) return append_str(out, member, 0);
  fmt::format_to(std::back_inserter(out), "<{}.{}: {}>", class_name_of(values_.type_name(member)), values_.text(member),
                 values_.as_int(member));
}

void ValuePrinter::append_object(std::string& out, ValueId object, int depth) const {
  if (append_own_object(out, object, depth)) return;
  const std::string_view type_name = values_.type_name(object);
  if (type_name == "tinygrad.dtype.InvalidType") {
    out += "Invalid";
  } else if (type_name == "tinygrad.codegen.opt.Opt" || type_name == "tinygrad.codegen.opt.kernel.Opt") {
    for (const std::string_view name : {"op", "axis", "arg"}) {
      out += name == "op" ? "Opt(op=" : fmt::format(", {}=", name);
      append_str(out, values_.field(object, name), depth + 1);
    }
    out += ")";
  } else if (type_name == "decimal.Decimal" && values_.items(object).size() == 2) {
    out += "Decimal(";
    append_repr(out, values_.items(object)[1], depth + 1);
    out += ")";
  } else {
    fmt::format_to(std::back_inserter(out), "<{}>", type_name);
  }
}

void ValuePrinter::append_dataclass(std::string& out, ValueId object, int depth) const {
  fmt::format_to(std::back_inserter(out), "{}(", class_name_of(values_.type_name(object)));
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

// Appends the graph as a part of a value: up to the length that a value may have.
void ValuePrinter::append_graph(std::string& out, OpId root, int depth) const {
  if (depth > kMaxDepth) {
    out += kEllipsis;
    return;
  }
  append_graph_text(
      out, graph_, root, before_number_, [&](std::string& text, OpId op) { append_op_head(text, op, depth); },
      depth == 0 ? kMaxGraphBytes : kMaxBytes);
}

}  // namespace vizd::tinygrad
