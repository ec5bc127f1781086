// The single rules of the simplifier, by the op at their root, in the order in which tinygrad tries them. A rule
// returns the expression that replaces the given one, or nothing. For simplifier.cpp alone.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "formats/tinygrad/v2025_09/symbolic/simplifier.h"

namespace vizd::tinygrad_2025_09 {

using Rewritten = std::optional<ExprId>;
using Rule = Rewritten (*)(Simplifier& simplifier, ExprId id);

std::span<const Rule> rules_for(Ops op);

// simplify_arithmetic.cpp: sums and products.
std::span<const Rule> sum_rules();
std::span<const Rule> product_rules();
// simplify_comparison.cpp: comparisons, maxima, and the leaves of an expression.
std::span<const Rule> comparison_rules(Ops op);
// simplify_division.cpp
std::span<const Rule> quotient_rules();
std::span<const Rule> remainder_rules();

// Rules that several ops share; where an op has them is part of the order.
Rewritten order_operands(Simplifier& simplifier, ExprId id);
Rewritten fold_single_value(Simplifier& simplifier, ExprId id);
Rewritten join_constants(Simplifier& simplifier, ExprId id);

// The two ways in which the operands of a commutative op match a pattern, in the order in which they are tried.
struct Operands {
  ExprId a, b;
};
struct BothOrders {
  Operands orders[2];
  const Operands* begin() const { return orders; }
  const Operands* end() const { return orders + 2; }
};
BothOrders both_orders(const ExprGraph& graph, ExprId id);
inline bool is_index(const ExprGraph& graph, ExprId id) { return graph.scalar(id) == Scalar::kIndex; }
inline Wide value(const ExprGraph& graph, ExprId constant) { return graph.number(constant).integer; }

}  // namespace vizd::tinygrad_2025_09
