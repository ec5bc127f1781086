#include "formats/tinygrad/v2026_08/symbolic/expr_terms.h"

#include <algorithm>

#include "formats/tinygrad/symbolic/term_lists.h"

namespace vizd::tinygrad_2026_08 {
namespace {

using python::floor_div;
using python::floor_mod;
using python::wide_gcd;

using tinygrad::count_of;
using Counts = tinygrad::Counts<ExprId>;

Counts count_factors(ExprGraph& graph, ExprId id) { return tinygrad::count_terms(split(graph, id, Ops::kMul)); }

// product * factor * …, each as often as it counts
ExprId multiplied(ExprGraph& graph, ExprId product, const Counts& counts) {
  for (const auto& [factor, count] : counts) {
    for (int i = 0; i < count; ++i) product = graph.multiply(product, factor);
  }
  return product;
}

// math.prod([*counts.elements(), last]): 1 * first * …
ExprId product_of(ExprGraph& graph, const Counts& counts, ExprId last) {
  const ExprId one = graph.number_expr(Number::of(1));
  return graph.multiply(multiplied(graph, one, counts), last);
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
  return tinygrad::split_terms(graph, id, separator);
}

ExprId sum_of(ExprGraph& graph, std::span<const ExprId> terms) {
  const Ops op = graph.scalar(terms[0]) == Scalar::kBool ? Ops::kOr : Ops::kAdd;
  ExprId sum = terms[0];
  for (const ExprId term : terms.subspan(1)) sum = graph.binary(op, sum, term);
  return sum;
}

ExprId python_sum(ExprGraph& graph, std::span<const ExprId> terms) {
  ExprId sum = graph.number_expr(Number::of(0));
  for (const ExprId term : terms) sum = graph.add(sum, term);
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
  return multiplied(graph, simplifier.like(id, floor_div(constant, divisor_constant)), left_over);
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

// CPython's set: open addressing, where a place is the value's low bits and, where that is taken, up to nine places on,
// and else one that the higher bits decide; four times as large once three fifths are full.
std::vector<Wide> in_set_order(std::span<const Wide> values) {
  constexpr std::size_t kProbes = 9;
  std::vector<std::optional<Wide>> places(8);
  std::size_t used = 0;
  const auto put = [&](Wide value) {
    const std::size_t mask = places.size() - 1;
    auto perturb = static_cast<std::uint64_t>(value);
    std::size_t i = perturb & mask;
    while (true) {
      const std::size_t probes = i + kProbes <= mask ? kProbes : 0;
      for (std::size_t at = i; at <= i + probes; ++at) {
        if (places[at] && *places[at] != value) continue;
        used += !places[at];
        places[at] = value;
        return;
      }
      perturb >>= 5;
      i = (i * 5 + 1 + perturb) & mask;
    }
  };
  const auto in_order = [&] {
    std::vector<Wide> order;
    for (const auto& place : places) {
      if (place) order.push_back(*place);
    }
    return order;
  };
  for (const Wide value : values) {
    put(value);
    if (used * 5 < (places.size() - 1) * 3) continue;
    const auto kept = in_order();
    std::size_t size = 8;
    while (size <= used * 4) size *= 2;
    places.assign(size, std::nullopt);
    used = 0;
    for (const Wide again : kept) put(again);
  }
  return in_order();
}

}  // namespace vizd::tinygrad_2026_08
