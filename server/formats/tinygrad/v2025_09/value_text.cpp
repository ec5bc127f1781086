#include "formats/tinygrad/v2025_09/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "formats/tinygrad/printing/graph_text.h"
#include "formats/tinygrad/python/text.h"
#include "formats/tinygrad/v2025_09/dtype.h"
#include "formats/tinygrad/v2025_09/ops.h"

namespace vizd::tinygrad_2025_09 {
namespace {

bool is_dtype(std::string_view type_name) {
  return type_name == "tinygrad.dtype.DType" || type_name == "tinygrad.dtype.PtrDType" ||
         type_name == "tinygrad.dtype.ImageDType";
}

// Dataclasses that print as Python makes them: Class(field=value, …).
bool is_plain_dataclass(std::string_view type_name) {
  constexpr std::array<std::string_view, 7> kNames = {"tinygrad.shape.shapetracker.ShapeTracker",
                                                      "tinygrad.shape.view.View",
                                                      "tinygrad.uop.ops.KernelInfo",
                                                      "tinygrad.schedule.rangeify.BufferizeOpts",
                                                      "tinygrad.renderer.Estimates",
                                                      "tinygrad.renderer.ProgramSpec",
                                                      "tinygrad.helpers.TracingKey"};
  return std::ranges::find(kNames, type_name) != kNames.end();
}

bool is_text(const ValueTable& values, ValueId value) { return values.kind(value) == ValueKind::kString; }

// What % with one text makes of a format in which only the last %s is meant: %% becomes %.
void append_formatted(std::string& out, std::string_view head) {
  for (std::size_t i = 0; i < head.size(); ++i) {
    out += head[i];
    if (head[i] == '%' && i + 1 < head.size() && head[i + 1] == '%') ++i;
  }
}

}  // namespace

// Members of Ops and OptOps print with their number; those of the other enumerations as str() has them.
void ValueText::append_member(std::string& out, ValueId member) const {
  const std::string_view type_name = values_.type_name(member);
  if (type_name == "tinygrad.uop.ops.AxisType" || type_name == "tinygrad.dtype.AddrSpace") {
    return append_str(out, member, 0);
  }
  ValuePrinter::append_member(out, member);
}

bool ValueText::append_own_object(std::string& out, ValueId object, int depth) const {
  const std::string_view type_name = values_.type_name(object);
  if (is_dtype(type_name)) {
    out += dtype_text(values_, object);
  } else if (is_plain_dataclass(type_name)) {
    append_dataclass(out, object, depth);
  } else if (type_name == "tinygrad.schedule.kernelize.Kernel") {
    append_kernel(out, object, depth);
  } else if (type_name == "tinygrad.codegen.late.linearize.BasicBlock") {
    append_block(out, object, depth);
  } else if (type_name == "tinygrad.helpers.Metadata") {
    append_metadata(out, object, depth);
  } else if (type_name == "tinygrad.schedule.rangeify.WrappedContig") {
    out += "C(";
    append_str(out, values_.field(object, "x"), depth + 1);
    out += ")";
  } else {
    return false;
  }
  return true;
}

// helpers.py Metadata.__repr__
void ValueText::append_metadata(std::string& out, ValueId metadata, int depth) const {
  append_str(out, metadata, depth);
  if (const ValueId caller = values_.field(metadata, "caller");
      is_text(values_, caller) && !values_.text(caller).empty()) {
    fmt::format_to(std::back_inserter(out), " - {}", values_.text(caller));
  }
}

// kernelize.py Kernel.__repr__
void ValueText::append_kernel(std::string& out, ValueId kernel, int depth) const {
  const ValueId ast = values_.field(kernel, "ast");
  if (values_.kind(ast) != ValueKind::kOp) {
    fmt::format_to(std::back_inserter(out), "<{}>", values_.type_name(kernel));
    return;
  }
  const OpId root = values_.as_op(ast);
  const auto member = [&](OpId op) {
    return fmt::format("<Ops.{}: {}>", op_name(static_cast<Ops>(graph_.kind(op))), graph_.kind(op));
  };
  fmt::format_to(std::back_inserter(out), "<Kernel {} ", toposort(graph_, root).size());
  if (static_cast<Ops>(graph_.kind(root)) == Ops::kSink) {
    const auto sources = graph_.src(root);
    out += "SINK(";
    for (std::size_t i = 0; i < sources.size(); ++i) out += (i == 0 ? "" : ", ") + member(sources[i]);
    out += sources.size() == 1 ? ",)" : ")";
  } else {
    out += member(root);
  }
  out += " ";
  append_repr(out, values_.field(kernel, "metadata"), depth + 1);
  out += ">";
}

// linearize.py BasicBlock.__repr__. An IF is called by its address there and by its id here.
void ValueText::append_block(std::string& out, ValueId block, int depth) const {
  const auto name_of = [&](ValueId value) -> std::string {
    if (values_.kind(value) != ValueKind::kOp) return "<NONE>";
    const OpId op = values_.as_op(value);
    const auto kind = static_cast<Ops>(graph_.kind(op));
    if (kind == Ops::kIf) return fmt::format("IF{}", index(op));
    if (kind != Ops::kRange) return "<NONE>";
    std::string text;
    append_str(text, graph_.op(op).arg, depth + 1);
    return text;
  };
  const auto append_names = [&](ValueId ops) {
    out += "[";
    for (const ValueId& op : values_.items(ops)) {
      out += (&op == values_.items(ops).data() ? "" : ", ") + python::string_repr(name_of(op));
    }
    out += "]";
  };
  const auto field = [&](std::string_view name) { return values_.field(block, name); };
  if (const ValueId end = field("end"); end != kNoneValue) out += name_of(end) + " ";
  out += "f";
  append_str(out, field("cnt"), depth + 1);
  out += " ";
  append_names(field("ctx"));
  out += " ";
  if (const ValueId child_ctx = field("child_ctx"); child_ctx != kNoneValue) {
    append_names(child_ctx);
  } else {
    out += "-";
  }
  const auto list = values_.items(field("lst"));
  fmt::format_to(std::back_inserter(out), " {}\n", list.size());
  for (const ValueId& op : list) {
    const bool is_op = values_.kind(op) == ValueKind::kOp;
    fmt::format_to(std::back_inserter(out), "{}Ops.{}", &op == list.data() ? "" : "\n",
                   is_op ? op_name(static_cast<Ops>(graph_.kind(values_.as_op(op)))) : "UNKNOWN");
  }
}

// ops.py UOp.__repr__, argstr, tagstr
void ValueText::append_op_head(std::string& out, OpId id, int depth) const {
  const Op op = graph_.op(id);
  std::string head = fmt::format("UOp(Ops.{}, {}, arg=", op_name(static_cast<Ops>(op.kind)), str(op.dtype));
  if (static_cast<Ops>(op.kind) == Ops::kReduceAxis && values_.kind(op.arg) == ValueKind::kTuple) {
    const auto items = values_.items(op.arg);
    for (std::size_t i = 0; i < items.size(); ++i) {
      head += i == 0 ? "(" : ", ";
      append_str(head, items[i], depth + 1);
    }
    head += ")";
  } else {
    append_repr(head, op.arg, depth);
  }
  if (op.tag != kNoneValue) {
    head += ", tag=";
    append_str(head, op.tag, depth);
  }
  head += ", src=(";
  append_formatted(out, head);
}

}  // namespace vizd::tinygrad_2025_09
