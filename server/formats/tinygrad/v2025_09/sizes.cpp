#include "formats/tinygrad/v2025_09/sizes.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/tinygrad/v2025_09/dtype.h"
#include "formats/tinygrad/v2025_09/op_numbers.h"

namespace vizd::tinygrad_2025_09 {

using SizeOps = tinygrad::Ops;  // not those of the version, which this folder calls Ops
using tinygrad::Scalar;

namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;

std::size_t operand_count(SizeOps op) {
  if (op == SizeOps::kWhere || op == SizeOps::kMulacc) return 3;
  if (is_binary(op) || op == SizeOps::kBind) return 2;
  return op == SizeOps::kConst || op == SizeOps::kDefineVar || op == SizeOps::kOpaque ? 0 : 1;
}

std::string_view symbol(SizeOps op) { return op == SizeOps::kCdiv ? "//" : op == SizeOps::kCmod ? "%" : symbol_of(op); }

}  // namespace

std::optional<Size> Sizes::from_value(ValueId value) {
  const ValueTable& values = graph_.values();
  switch (values.kind(value)) {
    case ValueKind::kInt:
    case ValueKind::kBool:
      return Size::of(Wide{values.as_int(value)});
    case ValueKind::kOp:
      return Size::of(from_op(values.as_op(value), nullptr));
    default:
      return std::nullopt;
  }
}

// Converts an op and what it is made of, sources first. looked_at: of a graph that may change, so nothing is
// remembered.
ExprId Sizes::from_op(OpId root, std::vector<OpId>* looked_at) {
  std::unordered_map<OpId, ExprId> changing;
  auto& known = looked_at == nullptr ? converted_ : changing;
  struct Frame {
    OpId op;
    bool expanded;
  };
  std::vector<Frame> stack{{root, false}};
  std::vector<ExprId> src;
  while (!stack.empty()) {
    const auto [op, expanded] = stack.back();
    stack.pop_back();
    if (known.contains(op)) continue;
    const std::size_t count = operand_count(expression_op(graph_.kind(op)));
    const auto sources = graph_.src(op).first(std::min(graph_.src(op).size(), count));
    if (!expanded) {
      stack.push_back({op, true});
      for (const OpId source : sources) stack.push_back({source, false});
      continue;
    }
    src.clear();
    for (const OpId source : sources) src.push_back(known.at(source));
    known.emplace(op, convert(op, src));
    if (looked_at != nullptr) looked_at->push_back(op);
  }
  return known.at(root);
}

ExprId Sizes::convert(OpId id, std::span<const ExprId> src) {
  const ValueTable& values = graph_.values();
  const Op op = graph_.op(id);
  const SizeOps kind = expression_op(op.kind);
  const Scalar scalar = read_dtype(values, op.dtype).scalar;
  if (kind == SizeOps::kOpaque || src.size() != operand_count(kind)) return exprs_.opaque(op.kind, scalar, id);
  if (kind != SizeOps::kConst) return exprs_.node(kind, scalar, src, op.arg);
  switch (values.kind(op.arg)) {
    case ValueKind::kInt:
      return exprs_.constant(scalar, Number::of(values.as_int(op.arg)));
    case ValueKind::kBool:
      return exprs_.constant(scalar, Number::of_bool(values.as_bool(op.arg)));
    case ValueKind::kFloat:
      return exprs_.constant(scalar, Number::of_real(values.as_real(op.arg)));
    case ValueKind::kObject:
      return exprs_.captured_constant(scalar, Number::invalid(), kNoneValue);
    default:
      return exprs_.opaque(op.kind, scalar, id);
  }
}

Number Sizes::greatest(OpId op, std::vector<OpId>& looked_at) { return exprs_.greatest(from_op(op, &looked_at)); }

ExprId Sizes::as_expr(const Size& size, ExprId beside) {
  return size.is_symbolic ? size.expr : exprs_.constant(exprs_.scalar(beside), Number::of(size.value));
}

Size Sizes::add(const Size& a, const Size& b) {
  if (!a.is_symbolic && !b.is_symbolic) return Size::of(python::wide_add(a.value, b.value));
  const ExprId beside = a.is_symbolic ? a.expr : b.expr;
  return Size::of(exprs_.add(as_expr(a, beside), as_expr(b, beside)));
}

Size Sizes::negate(const Size& a) { return a.is_symbolic ? Size::of(exprs_.negate(a.expr)) : Size::of(-a.value); }

Size Sizes::subtract(const Size& a, const Size& b) { return add(a, negate(b)); }

Size Sizes::multiply(const Size& a, const Size& b) {
  if (!a.is_symbolic && !b.is_symbolic) return Size::of(python::wide_mul(a.value, b.value));
  const ExprId beside = a.is_symbolic ? a.expr : b.expr;
  return Size::of(exprs_.multiply(as_expr(a, beside), as_expr(b, beside)));
}

Size Sizes::floor_divide(const Size& a, Wide b) {
  if (a.is_symbolic) return Size::of(exprs_.binary(SizeOps::kCdiv, a.expr, Number::of(b)));
  if (b == 0) exprs_.fail();
  return b == 0 ? a : Size::of(python::floor_div(a.value, b));
}

Size Sizes::product(std::span<const Size> sizes) {
  Size product = Size::of(1);
  for (const Size& size : sizes) product = multiply(product, size);
  return product;
}

Wide Sizes::greatest(const Size& size) {
  if (!size.is_symbolic) return size.value;
  const Number greatest = exprs_.greatest(size.expr);
  if (!greatest.is_integer()) exprs_.fail();
  return greatest.integer;
}

Size Sizes::simplify(const Size& size) {
  if (!size.is_symbolic) return size;
  const ExprId simple = simplifier_.simplify(size.expr);
  if (!exprs_.is_const(simple)) return Size::of(simple);
  if (!exprs_.number(simple).is_integer()) exprs_.fail();
  return Size::of(exprs_.number(simple).integer);
}

bool Sizes::differ(const Size& a, const Size& b, bool otherwise) {
  if (!a.is_symbolic && !b.is_symbolic) return a.value != b.value;
  // int != UOp is asked of the UOp.
  const ExprId first = a.is_symbolic ? a.expr : b.expr;
  const Size& second = a.is_symbolic ? b : a;
  return simplifier_.resolve(exprs_.alu(SizeOps::kCmpne, first, as_expr(second, first)), otherwise);
}

bool Sizes::is_at_least_zero(const Size& size, bool otherwise) {
  if (!size.is_symbolic) return size.value >= 0;
  return simplifier_.resolve(exprs_.logical_not(exprs_.less_than(size.expr, 0)), otherwise);
}

bool Sizes::require_at_least_zero(const Size& size) {
  const bool least = is_at_least_zero(size, false);
  if (least != is_at_least_zero(size, true)) exprs_.fail();
  return least;
}

std::optional<std::string> Sizes::text(const Size& size) {
  return size.is_symbolic ? render(simplifier_.simplify(size.expr)) : std::optional(python::wide_text(size.value));
}

// ops.py renderer. Recursion ends at Language::max_depth.
std::optional<std::string> Sizes::render(ExprId expr) {
  const ValueTable& values = graph_.values();
  const SizeOps op = exprs_.op(expr);
  const auto arg_items = values.items(exprs_.arg(expr));
  if (op == SizeOps::kConst) return number_text(exprs_.number(expr));
  if (op == SizeOps::kDefineVar && !arg_items.empty()) return std::string(values.text(arg_items[0]));
  if (op == SizeOps::kSpecial && values.kind(exprs_.arg(expr)) == ValueKind::kString) {
    return std::string(values.text(exprs_.arg(expr)));
  }
  if (op == SizeOps::kRange && !arg_items.empty()) {
    const std::int64_t number = values.as_int(arg_items[0]);
    return number >= 0 ? fmt::format("ridx{}", number) : fmt::format("ridxm{}", -number);
  }
  std::vector<std::string> parts;
  std::size_t bytes = 0;
  const std::vector<ExprId> sources(exprs_.src(expr).begin(), exprs_.src(expr).end());
  for (const ExprId source : sources) {
    const auto part = render(source);
    if (!part || (bytes += part->size()) > kMaxTextBytes) return std::nullopt;
    parts.push_back(*part);
  }
  if (op == SizeOps::kCast && parts.size() == 1)
    return fmt::format("({})({})", scalar_info(exprs_.scalar(expr)).name, parts[0]);
  if (op == SizeOps::kBind && !parts.empty()) return parts[0];
  if (op == SizeOps::kNeg && parts.size() == 1) return fmt::format("(-{})", parts[0]);
  if (op == SizeOps::kMax) return fmt::format("max({}, {})", parts[0], parts[1]);
  if (op == SizeOps::kWhere) return fmt::format("({} if {} else {})", parts[1], parts[0], parts[2]);
  if (op == SizeOps::kMulacc) return fmt::format("({}*{}+{})", parts[0], parts[1], parts[2]);
  if (!symbol(op).empty()) return fmt::format("({}{}{})", parts[0], symbol(op), parts[1]);
  return std::nullopt;
}

}  // namespace vizd::tinygrad_2025_09
