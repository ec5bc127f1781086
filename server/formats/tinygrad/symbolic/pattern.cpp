#include "formats/tinygrad/symbolic/pattern.h"

#include <algorithm>

namespace vizd::tinygrad {
namespace {

using Use = std::function<bool()>;

bool match_sources(const ExprGraph& graph, const Pattern& pattern, ExprId id, std::span<const std::size_t> order,
                   std::size_t at, Bindings& bindings, const Use& use) {
  if (at == order.size()) return use();
  return match(graph, pattern.src[order[at]], graph.src(id, at), bindings,
               [&] { return match_sources(graph, pattern, id, order, at + 1, bindings, use); });
}

bool match_alike(const ExprGraph& graph, const Pattern& source, ExprId id, std::size_t at, Bindings& bindings,
                 const Use& use) {
  if (at == graph.src(id).size()) return use();
  return match(graph, source, graph.src(id, at), bindings,
               [&] { return match_alike(graph, source, id, at + 1, bindings, use); });
}

bool fits(const ExprGraph& graph, const Pattern& pattern, ExprId id) {
  if (!pattern.ops.empty() && !pattern.ops.contains(graph.op(id))) return false;
  if (!pattern.scalars.admits(graph.scalar(id))) return false;
  if (pattern.number && !(graph.is_const(id) && equal(graph.number(id), *pattern.number))) return false;
  const std::size_t count = graph.src(id).size(), wanted = pattern.src.size();
  switch (pattern.sources) {
    case Pattern::Sources::kAny:
      return true;
    case Pattern::Sources::kAllAlike:
      return count > 0;
    default:
      return pattern.more_sources ? count >= wanted : count == wanted;
  }
}

}  // namespace

OpSet ops_that(bool (*holds)(Ops)) {
  OpSet set;
  for (std::uint16_t op = 1; op < kExprOpsCount; ++op) {
    if (holds(static_cast<Ops>(op))) set = set.with({static_cast<Ops>(op)});
  }
  return set;
}

bool Bindings::bind(char name, ExprId id) {
  ExprId& bound = bound_[static_cast<std::size_t>(name - 'A')];
  if (bound != kNoExpr) return bound == id;
  bound = id;
  return true;
}

bool match(const ExprGraph& graph, const Pattern& pattern, ExprId id, Bindings& bindings, const Use& use) {
  if (!pattern.alternatives.empty()) {
    return std::ranges::any_of(pattern.alternatives,
                               [&](const Pattern& one) { return match(graph, one, id, bindings, use); });
  }
  if (!fits(graph, pattern, id)) return false;
  const bool binds = pattern.name != 0 && !bindings.is_bound(pattern.name);
  if (pattern.name != 0 && !bindings.bind(pattern.name, id)) return false;
  bool used = false;
  static constexpr std::size_t kOrder[] = {0, 1, 2, 3}, kSwapped[] = {1, 0};
  switch (pattern.sources) {
    case Pattern::Sources::kAny:
      used = use();
      break;
    case Pattern::Sources::kAllAlike:
      used = match_alike(graph, pattern.src[0], id, 0, bindings, use);
      break;
    case Pattern::Sources::kInOrder:
      used = match_sources(graph, pattern, id, std::span(kOrder).first(pattern.src.size()), 0, bindings, use);
      break;
    case Pattern::Sources::kInAnyOrder:
      used = match_sources(graph, pattern, id, std::span(kOrder).first(2), 0, bindings, use) ||
             match_sources(graph, pattern, id, kSwapped, 0, bindings, use);
      break;
  }
  if (binds) bindings.unbind(pattern.name);
  return used;
}

ExprId build(ExprGraph& graph, const Pattern& pattern, const Bindings& names) {
  if (pattern.name != 0) return names[pattern.name];
  if (pattern.number) return graph.number_expr(*pattern.number);
  const Ops op = pattern.ops.first();
  const Pattern& left = pattern.src[0];
  if (op == Ops::kWhere) {
    return graph.where(build(graph, left, names), build(graph, pattern.src[1], names),
                       build(graph, pattern.src[2], names));
  }
  const Pattern& right = pattern.src[1];
  if (left.number) return graph.binary(op, *left.number, build(graph, right, names));
  const ExprId a = build(graph, left, names);
  if (right.number) return graph.binary(op, a, *right.number);
  const ExprId b = build(graph, right, names);
  return op == Ops::kFloordiv ? graph.floor_divide(a, b) : graph.binary(op, a, b);
}

Pattern var(char name, ScalarSet scalars) { return {.scalars = scalars, .name = name}; }

Pattern cvar(char name, ScalarSet scalars) { return {.ops = {Ops::kConst}, .scalars = scalars, .name = name}; }

Pattern number(Wide value, char name) { return {.ops = {Ops::kConst}, .number = Number::of(value), .name = name}; }

Pattern truth(bool value) { return {.ops = {Ops::kConst}, .number = Number::of_bool(value)}; }

Pattern invalid(char name) { return {.ops = {Ops::kConst}, .number = Number::invalid(), .name = name}; }

Pattern op(OpSet ops, std::vector<Pattern> src, char name, ScalarSet scalars) {
  return {.ops = ops, .scalars = scalars, .name = name, .sources = Pattern::Sources::kInOrder, .src = std::move(src)};
}

Pattern op_in_any_order(OpSet ops, std::vector<Pattern> src, char name) {
  return {.ops = ops, .name = name, .sources = Pattern::Sources::kInAnyOrder, .src = std::move(src)};
}

// UPat.alu: of the last operand's dtype, and in any order where operands may be.
Pattern alu(Ops kind, std::vector<Pattern> src) {
  Pattern made{.ops = {kind}};
  const bool is_bool = kind == Ops::kCmplt || kind == Ops::kCmpne;
  made.scalars = is_bool ? ScalarSet{Scalar::kBool} : src.back().scalars;
  made.sources = is_commutative(kind) ? Pattern::Sources::kInAnyOrder : Pattern::Sources::kInOrder;
  made.src = std::move(src);
  return made;
}

Pattern cast(Pattern source, ScalarSet to, char name) { return op({Ops::kCast}, {std::move(source)}, name, to); }

Pattern where(Pattern condition, Pattern yes, Pattern no) {
  return alu(Ops::kWhere, {std::move(condition), std::move(yes), std::move(no)});
}

Pattern not_equal(Pattern a, Pattern b) { return alu(Ops::kCmpne, {std::move(a), std::move(b)}); }

Pattern logical_not(Pattern a) {
  const ScalarSet is_bool{Scalar::kBool};
  return not_equal(a.scalars == is_bool ? std::move(a) : cast(std::move(a), is_bool), truth(true));
}

}  // namespace vizd::tinygrad
