#include "formats/tinygrad/symbolic/expr_terms.h"

#include <algorithm>

namespace vizd::tinygrad {
namespace {

using python::floor_div;
using python::floor_mod;
using python::wide_gcd;

// A multiset that remembers the order in which its members came, as Python's Counter.
using Counts = std::vector<std::pair<ExprId, int>>;

int count_of(const Counts& counts, ExprId factor) {
  const auto found = std::ranges::find(counts, factor, &Counts::value_type::first);
  return found == counts.end() ? 0 : found->second;
}

Counts count_factors(ExprGraph& graph, ExprId id) {
  Counts counts;
  for (const ExprId factor : split(graph, id, Ops::kMul)) {
    const auto found = std::ranges::find(counts, factor, &Counts::value_type::first);
    if (found == counts.end()) {
      counts.emplace_back(factor, 1);
    } else {
      ++found->second;
    }
  }
  return counts;
}

// product * factor * …, each as often as it counts; without a product, 1 * factor * …
std::optional<ExprId> multiplied(ExprGraph& graph, std::optional<ExprId> product, const Counts& counts) {
  for (const auto& [factor, count] : counts) {
    for (int i = 0; i < count; ++i) {
      product = product ? graph.multiply(*product, factor) : graph.binary(Ops::kMul, Number::of(1), factor);
    }
  }
  return product;
}

// math.prod([*counts.elements(), last]): 1 * first * …
ExprId product_of(ExprGraph& graph, const Counts& counts, ExprId last) {
  const auto product = multiplied(graph, std::nullopt, counts);
  return product ? graph.multiply(*product, last) : graph.binary(Ops::kMul, Number::of(1), last);
}

// multiple_of of a variable; 1 where it has none.
Wide known_multiple(const ExprGraph& graph, ExprId id) {
  if (graph.op(id) != Ops::kParam && graph.op(id) != Ops::kBuffer) return 1;
  const ValueTable& values = graph.values();
  const ValueId multiple = values.field(graph.arg(id), "multiple_of");
  return values.kind(multiple) == ValueKind::kInt ? values.as_int(multiple) : 1;
}

Wide integer_of(ExprGraph& graph, ExprId constant) {
  if (!graph.number(constant).is_integer()) graph.fail();
  return graph.number(constant).integer;
}

}  // namespace

std::vector<ExprId> split(ExprGraph& graph, ExprId id, Ops separator) {
  std::vector<ExprId> parts, stack{id};
  while (!stack.empty()) {
    const ExprId next = stack.back();
    stack.pop_back();
    if (graph.op(next) != separator) {
      parts.push_back(next);
    } else {
      const auto sources = graph.src(next);
      stack.insert(stack.end(), sources.rbegin(), sources.rend());
    }
    if (!graph.spend_work()) return {id};
  }
  return parts;
}

ExprId sum_of(ExprGraph& graph, std::span<const ExprId> terms) {
  const Ops op = graph.scalar(terms[0]) == Scalar::kBool ? Ops::kOr : Ops::kAdd;
  ExprId sum = terms[0];
  for (const ExprId term : terms.subspan(1)) sum = graph.binary(op, sum, term);
  return sum;
}

ExprId python_sum(ExprGraph& graph, std::span<const ExprId> terms) {
  ExprId sum = graph.binary(Ops::kAdd, Number::of(0), terms[0]);
  for (const ExprId term : terms.subspan(1)) sum = graph.add(sum, term);
  return sum;
}

Wide const_factor(ExprGraph& graph, ExprId id) {
  if (!graph.spend_work()) return 1;
  switch (graph.op(id)) {
    case Ops::kConst:
      return integer_of(graph, id);
    case Ops::kStack: {
      Wide factor = 0;
      for (std::size_t i = 0; i < graph.src(id).size(); ++i) {
        factor = wide_gcd(factor, const_factor(graph, graph.src(id, i)));
      }
      return factor;
    }
    case Ops::kAdd: {
      const Wide left = const_factor(graph, graph.src(id, 0));
      return wide_gcd(left, const_factor(graph, graph.src(id, 1)));
    }
    case Ops::kMul:
      for (const ExprId factor : {graph.src(id, 0), graph.src(id, 1)}) {
        if (graph.is_const(factor)) return integer_of(graph, factor);
      }
      return 1;
    default:
      return known_multiple(graph, id);
  }
}

std::optional<ExprId> divided_by(ExprGraph& graph, ExprId id, Wide divisor) {
  if (!graph.spend_work()) return std::nullopt;
  if (divisor == 1) return id;
  if (divisor == 0 && graph.op(id) != Ops::kAdd && graph.op(id) != Ops::kMul) graph.fail();
  if (graph.failed()) return std::nullopt;
  switch (graph.op(id)) {
    case Ops::kConst: {
      const Wide value = integer_of(graph, id);
      if (floor_mod(value, divisor) != 0) return std::nullopt;
      return graph.constant(graph.scalar(id), Number::of(floor_div(value, divisor)));
    }
    case Ops::kStack: {
      std::vector<ExprId> parts;
      for (std::size_t i = 0; i < graph.src(id).size(); ++i) {
        const auto part = divided_by(graph, graph.src(id, i), divisor);
        if (!part) return std::nullopt;
        parts.push_back(*part);
      }
      return graph.make(Ops::kStack, parts);
    }
    case Ops::kAdd: {
      const auto left = divided_by(graph, graph.src(id, 0), divisor);
      if (!left) return std::nullopt;
      const auto right = divided_by(graph, graph.src(id, 1), divisor);
      return right ? std::optional(graph.add(*left, *right)) : std::nullopt;
    }
    case Ops::kMul: {
      if (const auto left = divided_by(graph, graph.src(id, 0), divisor))
        return graph.multiply(*left, graph.src(id, 1));
      const auto right = divided_by(graph, graph.src(id, 1), divisor);
      return right ? std::optional(graph.multiply(graph.src(id, 0), *right)) : std::nullopt;
    }
    case Ops::kParam:
    case Ops::kBuffer: {
      const ValueTable& values = graph.values();
      const ValueId multiple = values.field(graph.arg(id), "multiple_of");
      if (values.kind(multiple) != ValueKind::kInt) return std::nullopt;
      if (floor_mod(values.as_int(multiple), divisor) != 0) return std::nullopt;
      return graph.floor_divide(id, divisor);
    }
    default:
      return std::nullopt;
  }
}

std::optional<ExprId> divided_by(Simplifier& simplifier, ExprId id, ExprId divisor) {
  ExprGraph& graph = simplifier.graph();
  if (!graph.spend_work()) return std::nullopt;
  if (id == divisor) return simplifier.like(id, 1);
  if (graph.is_const(divisor)) return divided_by(graph, id, integer_of(graph, divisor));
  if (graph.op(id) == Ops::kAdd) {
    const auto left = divided_by(simplifier, graph.src(id, 0), divisor);
    if (!left) return std::nullopt;
    const auto right = divided_by(simplifier, graph.src(id, 1), divisor);
    return right ? std::optional(graph.add(*left, *right)) : std::nullopt;
  }
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
  const ExprId quotient = simplifier.like(id, floor_div(constant, divisor_constant));
  if (!graph.language().puts_quotient_first) return product_of(graph, left_over, quotient);
  return multiplied(graph, quotient, left_over);
}

std::pair<ExprId, Wide> pop_const(const ExprGraph& graph, ExprId id, Ops op) {
  if (graph.op(id) == op && graph.is_const(graph.src(id, 1))) {
    return {graph.src(id, 0), graph.number(graph.src(id, 1)).integer};
  }
  return {id, op == Ops::kMul ? 1 : 0};
}

ExprId common_factor(Simplifier& simplifier, std::span<const ExprId> ids) {
  ExprGraph& graph = simplifier.graph();
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
  return product_of(graph, common, simplifier.like(*first, factor));
}

}  // namespace vizd::tinygrad
