// Expressions as sums of terms and products of factors: the questions that tinygrad's rules for // and % ask (UOp's
// const_factor, divides, pop_const, gcd, divide_exact in ops.py). They fail the graph where tinygrad raises.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "formats/tinygrad/symbolic/simplifier.h"

namespace vizd::tinygrad {

// The operands of nested `separator`s, left to right; the expression itself where it is none.
std::vector<ExprId> split(ExprGraph& graph, ExprId id, Ops separator);

// terms[0] + terms[1] + …; there must be one. Of truth values: |.
ExprId sum_of(ExprGraph& graph, std::span<const ExprId> terms);
// Python's sum(terms), which begins with 0: 0 + terms[0] + …; there must be one.
ExprId python_sum(ExprGraph& graph, std::span<const ExprId> terms);

// The largest integer known to divide it.
Wide const_factor(ExprGraph& graph, ExprId id);

// The expression divided by `divisor`, where that is known to leave nothing over.
std::optional<ExprId> divided_by(ExprGraph& graph, ExprId id, Wide divisor);
std::optional<ExprId> divided_by(Simplifier& simplifier, ExprId id, ExprId divisor);

// The expression without its constant last operand of `op`, and that constant; else itself and 0 (1 for a product).
std::pair<ExprId, Wide> pop_const(const ExprGraph& graph, ExprId id, Ops op = Ops::kAdd);

// The product of all that every one of them has as a factor.
ExprId common_factor(Simplifier& simplifier, std::span<const ExprId> ids);

}  // namespace vizd::tinygrad
