#include "formats/tinygrad/v2026_08/python_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/tinygrad/v2026_08/dtype.h"
#include "formats/tinygrad/v2026_08/expr_text.h"
#include "formats/tinygrad/v2026_08/python_writer.h"

namespace vizd::tinygrad_2026_08 {
namespace {

// Ops that are written as a method of their first source.
bool is_method(Ops op) {
  switch (op) {
    case Ops::kSink:
    case Ops::kEnd:
    case Ops::kStore:
    case Ops::kLoad:
    case Ops::kSqrt:
    case Ops::kIndex:
    case Ops::kReduce:
    case Ops::kAfter:
    case Ops::kThreefry:
    case Ops::kReciprocal:
    case Ops::kExp2:
    case Ops::kLog2:
    case Ops::kSin:
    case Ops::kContiguous:
    case Ops::kBarrier:
    case Ops::kDetach:
      return true;
    default:
      return false;
  }
}

bool has_own_line(Ops op) {
  switch (op) {
    case Ops::kParam:
    case Ops::kLoad:
    case Ops::kSpecial:
    case Ops::kRange:
    case Ops::kContiguous:
    case Ops::kStack:
    case Ops::kBuffer:
    case Ops::kCopy:
    case Ops::kCall:
    case Ops::kFunction:
    case Ops::kWhere:
    case Ops::kEnd:
      return true;
    default:
      return false;
  }
}

class NewestWriter final : public PythonWriter {
 public:
  using PythonWriter::PythonWriter;

 private:
  bool choose_lines() override {
    has_line_.assign(order_.size(), false);
    has_line_.back() = true;
    std::vector<std::uint32_t> uses(order_.size());  // edges, not users
    for (const OpId id : order_) {
      for (const OpId source : graph_.src(id)) ++uses[place_.at(source)];
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Op op = graph_.op(order_[i]);
      const auto op_kind = static_cast<Ops>(op.kind);
      if (op_kind == Ops::kSink) {
        for (const OpId source : op.src) has_line_[place_.at(source)] = true;
      }
      const std::size_t wanted = op_kind == Ops::kStore ? 2 : op_kind == Ops::kReduce ? 1 : 0;
      if (op.src.size() < wanted) return false;
      if (wanted != 0) has_line_[place_.at(op.src[wanted - 1])] = true;
      if (op_kind == Ops::kCall && op.src.empty()) return false;
      if (op_kind == Ops::kFunction || (op_kind == Ops::kCall && scalar(op.src[0]) == Scalar::kVoid)) return false;
      if (op_kind == Ops::kConst || (uses[i] == 1 && !has_own_line(op_kind))) continue;
      has_line_[i] = true;
    }
    return true;
  }

  std::optional<std::string> find(const Op& op) override {
    const auto kind = static_cast<Ops>(op.kind);
    const std::size_t count = op.src.size();
    switch (kind) {
      case Ops::kConst:
        if (count == 0) return fmt::format("UOp.const({}, {})", text_.str(op.arg), dtype(op));
        break;
      case Ops::kCast:
      case Ops::kBitcast:
        if (count == 0) return std::nullopt;
        if (graph_.op(op.src[0]).dtype != op.dtype) {
          return fmt::format("{}.{}({})", text(op.src[0]), kind == Ops::kCast ? "cast" : "bitcast", dtype(op));
        }
        break;
      case Ops::kSpecial:
        if (count == 1 && this->kind(op.src[0]) == Ops::kConst) {
          return fmt::format("UOp.special({}, {}, dtype={})", text_.str(graph_.op(op.src[0]).arg), text_.repr(op.arg),
                             dtype(op));
        }
        break;
      case Ops::kBuffer:
        if (count == 1 && is_global(op)) return buffer(op);
        break;
      case Ops::kCopy:
        if (count == 1) return fmt::format("{}.copy_to_device({})", text(op.src[0]), text_.repr(op.arg));
        break;
      case Ops::kCustomFunction:
        return fmt::format("UOp(Ops.CUSTOM_FUNCTION, src={}, arg={})", sources(op.src), text_.repr(op.arg));
      case Ops::kReduce:
        if (const auto reduced = reduction(op)) return reduced;
        break;
      case Ops::kRange:
        if (count > 0 && this->kind(op.src[0]) == Ops::kConst) return range(op);
        break;
      case Ops::kIndex:
        if (count >= 2 && graph_.op(op.src[0]).dtype != op.dtype) return typed_index(op);
        break;
      case Ops::kCdiv:
      case Ops::kCmod:
        if (count == 2) return as_alu(op, 2);
        break;
      case Ops::kWhere:
        if (count == 3) return as_alu(op, 3);
        break;
      default:
        break;
    }
    // pyrender leaves SUB to its general form.
    if (!symbol_of(kind).empty() && kind != Ops::kSub) return count == 2 ? binary(op) : std::nullopt;
    if (is_method(kind)) return method(op);
    std::string whole = fmt::format("UOp(Ops.{}, {}, {}", text_.name_of(kind), dtype(op), sources(op.src));
    if (op.arg != kNoneValue) whole += fmt::format(", {}", text_.repr(op.arg));
    return whole + ")";
  }

  bool is_global(const Op& op) const {
    const ValueTable& values = graph_.values();
    if (values.kind(op.arg) != ValueKind::kObject || values.type_name(op.arg) != "tinygrad.uop.ops.ParamArg") {
      return false;
    }
    const ValueId space = values.field(op.arg, "addrspace");
    return values.kind(space) == ValueKind::kEnum && values.as_int(space) == static_cast<int>(Memory::kGlobal);
  }

  // max_numel: the product of the greatest sizes.
  std::optional<std::string> buffer(const Op& op) {
    Simplifier& s = facts_.simplifier();
    const ExprId shape_expr = facts_.expression(op.src[0]);
    const ShapeId shape = shape_expr == kNoExpr ? ShapeId::kRaises : s.as_shape(shape_expr);
    if (!is_shape(shape)) return std::nullopt;
    Wide elements = 1;
    for (const ExprId size : s.shapes().get(shape))
      elements = python::wide_mul(elements, s.graph().greatest(size).integer);
    if (s.graph().take_failure()) return std::nullopt;
    const ValueTable& values = graph_.values();
    return fmt::format("UOp.new_buffer({}, {}, {}, {})", text_.repr(values.field(op.arg, "device")),
                       python::wide_text(elements), dtype(op), text_.str(values.field(op.arg, "slot")));
  }

  std::optional<std::string> reduction(const Op& op) {
    const auto items = graph_.values().items(op.arg);
    if (items.size() < 2 || graph_.values().kind(items[1]) != ValueKind::kInt || op.src.empty()) return std::nullopt;
    const std::int64_t axes = graph_.values().as_int(items[1]);
    if (axes == 0) return std::nullopt;
    std::string list;
    for (std::int64_t i = 0; i < axes && i < 1000; ++i) list += fmt::format("{}{}", i == 0 ? "" : ", ", i);
    return fmt::format("{}._rop({}, ({}{}))", text(op.src[0]), text_.str(items[0]), list, axes == 1 ? "," : "");
  }

  std::string range(const Op& op) {
    std::string out = "UOp.range(" + text_.str(graph_.op(op.src[0]).arg);
    for (const ValueId item : graph_.values().items(op.arg)) out += ", " + text_.repr(item);
    if (op.src.size() > 1) out += ", src=" + sources(op.src.subspan(1));
    if (facts_.scalar(op.dtype) != Scalar::kWeakint) out += ", dtype=" + dtype(op);
    return out + ")";
  }

  std::string typed_index(const Op& op) {
    std::string out = fmt::format("{}.index(", text(op.src[0]));
    for (const OpId source : op.src.subspan(1)) out += text(source) + ", ";
    return out + fmt::format("dtype={})", dtype(op));
  }

  std::string as_alu(const Op& op, std::size_t count) {
    std::string out = fmt::format("{}.alu(Ops.{}", text(op.src[0]), text_.name_of(static_cast<Ops>(op.kind)));
    for (std::size_t i = 1; i < count; ++i) out += ", " + text(op.src[i]);
    return out + ")";
  }

  // An operator where Python's would leave its operands as they are, else the method.
  std::optional<std::string> binary(const Op& op) {
    const auto kind = static_cast<Ops>(op.kind);
    const OpId a = op.src[0], b = op.src[1];
    const auto upper = least_upper(scalar(a), scalar(b));
    if (!upper) return std::nullopt;
    if (!stays(a, *upper) || !stays(b, *upper)) return as_alu(op, 2);
    return strip_binary_parentheses(kind, this->kind(a), this->kind(b), text(a), text(b), symbol_of(kind));
  }

  // Whether _broadcasted leaves an operand as it is.
  bool stays(OpId id, Scalar upper) const {
    OpId base = id;
    while ((is_movement(kind(base)) || kind(base) == Ops::kDetach) && !graph_.src(base).empty()) {
      base = graph_.src(base)[0];
    }
    const Op root = graph_.op(base);
    const ValueTable& values = graph_.values();
    const bool is_const = kind(base) == Ops::kConst;
    const bool is_invalid = is_const && values.kind(root.arg) == ValueKind::kObject && !is_real(values, root.arg);
    if (is_invalid) return true;
    if (!is_weak(scalar(id)) || !is_const) return scalar(id) == upper;
    return weak_of(upper) == scalar(id) && stays_view(id, base);
  }

  // A view of a weak constant is made anew as the constant expanded to its shape: the same only where it is just that.
  bool stays_view(OpId id, OpId base) const {
    if (graph_.op(base).tag != kNoneValue) return false;
    if (id == base) return true;
    if (kind(id) != Ops::kExpand || graph_.src(id).size() != 2 || graph_.src(id)[0] != base) return false;
    if (graph_.op(id).tag != kNoneValue) return false;
    const ShapeId shape = facts_.get(id).shape;
    if (!is_shape(shape) || shape == ShapeTable::kScalar) return false;
    return scalar(graph_.src(id)[1]) == Scalar::kWeakint;
  }
};

}  // namespace

std::optional<std::string> python_text(const OpGraph& graph, OpFacts& facts, const ValueText& values, OpId root) {
  return NewestWriter(graph, facts, values, root).written();
}

std::optional<std::vector<PrintedLine>> python_lines(const OpGraph& graph, OpFacts& facts, const ValueText& values,
                                                     OpId root) {
  return NewestWriter(graph, facts, values, root).lines();
}

}  // namespace vizd::tinygrad_2026_08
