#include "formats/tinygrad/v2025_09/symbolic/expr_terms.h"

#include <algorithm>

#include "formats/tinygrad/symbolic/term_lists.h"

namespace vizd::tinygrad_2025_09 {
namespace {

using tinygrad::count_of;
using Counts = tinygrad::Counts<ExprId>;

Counts count_factors(ExprGraph& graph, ExprId id) { return tinygrad::count_terms(split(graph, id, Ops::kMul)); }

// math.prod([*counts.elements(), last]): 1 * first * …
ExprId product_of(ExprGraph& graph, const Counts& counts, ExprId last) {
  std::optional<ExprId> product;
  const auto take = [&](ExprId factor) {
    product = product ? graph.multiply(*product, factor) : graph.multiply(1, factor);
  };
  for (const auto& [factor, count] : counts) {
    for (int i = 0; i < count; ++i) take(factor);
  }
  take(last);
  return *product;
}

Wide integer_of(ExprGraph& graph, ExprId constant) {
  if (!graph.number(constant).is_integer()) graph.fail();
  return graph.number(constant).integer;
}

}  // namespace

std::vector<ExprId> split(ExprGraph& graph, ExprId id, Ops separator) {
  return tinygrad::split_terms(graph, id, separator);
}

ExprId sum_of(ExprGraph& graph, std::span<const ExprId> terms) {
  ExprId sum = terms[0];
  for (const ExprId term : terms.subspan(1)) sum = graph.add(sum, term);
  return sum;
}

ExprId python_sum(ExprGraph& graph, std::span<const ExprId> terms) {
  ExprId sum = graph.add(0, terms[0]);
  for (const ExprId term : terms.subspan(1)) sum = graph.add(sum, term);
  return sum;
}

Wide const_factor(ExprGraph& graph, ExprId id) {
  if (!graph.spend_work()) return 1;
  if (graph.is_const(id)) return integer_of(graph, id);
  if (graph.op(id) == Ops::kAdd) {
    return wide_gcd(const_factor(graph, graph.src(id, 0)), const_factor(graph, graph.src(id, 1)));
  }
  if (graph.op(id) != Ops::kMul) return 1;
  for (const ExprId factor : {graph.src(id, 0), graph.src(id, 1)}) {
    if (graph.is_const(factor)) return integer_of(graph, factor);
  }
  return 1;
}

std::optional<ExprId> divided_by(ExprGraph& graph, ExprId id, Wide divisor) {
  if (!graph.spend_work()) return std::nullopt;
  if (divisor == 1) return id;
  if (graph.is_const(id)) {
    const Wide value = integer_of(graph, id);
    if (divisor == 0) graph.fail();
    if (divisor == 0 || floor_mod(value, divisor) != 0) return std::nullopt;
    return graph.like(id, floor_div(value, divisor));
  }
  if (graph.op(id) != Ops::kAdd && graph.op(id) != Ops::kMul) return std::nullopt;
  const ExprId a = graph.src(id, 0), b = graph.src(id, 1);
  const auto left = divided_by(graph, a, divisor);
  if (graph.op(id) == Ops::kMul && left) return graph.multiply(*left, b);
  if (graph.op(id) == Ops::kAdd && !left) return std::nullopt;
  const auto right = divided_by(graph, b, divisor);
  if (!right) return std::nullopt;
  return graph.op(id) == Ops::kMul ? graph.multiply(a, *right) : graph.add(*left, *right);
}

std::optional<ExprId> divided_by(ExprGraph& graph, ExprId id, ExprId divisor) {
  if (!graph.spend_work()) return std::nullopt;
  if (id == divisor) return graph.like(id, 1);
  if (graph.op(id) == Ops::kAdd) {
    const ExprId a = graph.src(id, 0), b = graph.src(id, 1);
    const auto left = divided_by(graph, a, divisor);
    if (!left) return std::nullopt;
    const auto right = divided_by(graph, b, divisor);
    return right ? std::optional(graph.add(*left, *right)) : std::nullopt;
  }
  if (graph.is_const(divisor)) return divided_by(graph, id, integer_of(graph, divisor));
  if (graph.op(id) != Ops::kMul) return std::nullopt;
  const auto [factors, constant] = pop_const(graph, id, Ops::kMul);
  const auto [divisor_factors, divisor_constant] = pop_const(graph, divisor, Ops::kMul);
  Counts left_over = count_factors(graph, factors);
  const Counts taken = count_factors(graph, divisor_factors);
  if (divisor_constant == 0) graph.fail();
  if (divisor_constant == 0 || floor_mod(constant, divisor_constant) != 0) return std::nullopt;
  for (const auto& [factor, count] : taken) {
    if (count_of(left_over, factor) < count) return std::nullopt;
  }
  for (auto& [factor, count] : left_over) count -= count_of(taken, factor);
  return product_of(graph, left_over, graph.like(id, floor_div(constant, divisor_constant)));
}

std::pair<ExprId, Wide> pop_const(const ExprGraph& graph, ExprId id, Ops op) {
  if (graph.op(id) == op && graph.is_const(graph.src(id, 1))) {
    return {graph.src(id, 0), graph.number(graph.src(id, 1)).integer};
  }
  return {id, op == Ops::kMul ? 1 : 0};
}

ExprId common_factor(ExprGraph& graph, std::span<const ExprId> ids) {
  Counts common;
  Wide factor = 0;
  std::optional<ExprId> first;
  for (const ExprId id : ids) {
    const Wide of_this = const_factor(graph, id);
    const auto rest = divided_by(graph, id, of_this);
    if (!rest) {
      graph.fail();
      return id;
    }
    const Counts counts = count_factors(graph, *rest);
    if (!first) {
      common = counts;
    } else {
      for (auto& [member, count] : common) count = std::min(count, count_of(counts, member));
    }
    if (!first) first = *rest;
    factor = wide_gcd(factor, of_this);
  }
  return product_of(graph, common, graph.like(*first, factor));
}

}  // namespace vizd::tinygrad_2025_09
