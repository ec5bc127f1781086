// The rules that tinygrad has had in every version so far, for a version's table to name in its place. Constant once
// made; any thread.
#pragma once

#include <vector>

#include "formats/tinygrad/symbolic/rule.h"
#include "formats/tinygrad/symbolic/simplifier.h"

namespace vizd::tinygrad {

// Makes the expression that `result` stands for, where the condition holds; without one, always.
Rewrite becomes(Pattern result, Condition condition = {});

// "x + x*c -> x*(c+1)" and all that joins terms of a sum; "-(x+c) -> -x + -c".
std::vector<Rule> joining_rules();
// Operands of a commutative op on indices are put in order.
Rule ordering_rule();
// Returns the rule by which one of these ops that can have only one value is a constant.
Rule single_value_rule(OpSet ops);
// "max of what is always larger"
Rule maximum_rule();
// "(x op c) op d -> x op (c op d)", for each of these ops.
std::vector<Rule> constant_rules(std::initializer_list<Ops> ops);
// "(x+c)+y -> (x+y)+c", and of products.
std::vector<Rule> moving_rules();
// "r % its end -> r" and "r // its end -> 0", by the version's ops for the two.
std::vector<Rule> range_rules(Ops remainder, Ops quotient);
// "d+x<c -> x<c-d"
Rule moved_term_rule();
// "x<c without small terms" and what else becomes of sums that are compared.
std::vector<Rule> compared_sum_rules();

// By the operands of a // or %: (x//gcd)//(y//gcd), or gcd*((x//gcd)%(y//gcd)), of their greatest common divisor.
Rewritten divide_by_gcd(Simplifier& simplifier, ExprId division);
inline bool is_remainder(Ops op) { return op == Ops::kCmod || op == Ops::kFloormod; }

// The integer that a constant is.
inline Wide integer_of(const ExprGraph& graph, ExprId constant) { return graph.number(constant).integer; }

}  // namespace vizd::tinygrad
