// The single rules of the simplifier, by the op at their root, in the order in which tinygrad tries them. For
// simplifier.cpp alone, and for the tests that count which rules are used.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/tinygrad/v2026_08/symbolic/pattern.h"
#include "formats/tinygrad/v2026_08/symbolic/simplifier.h"

namespace vizd::tinygrad_2026_08 {

using Rewritten = std::optional<ExprId>;

struct Rule {
  std::string_view name;  // as "x*1 -> x"
  Pattern pattern;
  std::function<Rewritten(Simplifier& simplifier, const Bindings& names)> rewrite;
};

// All of them, in order.
std::span<const Rule> rules();
// Those whose pattern has this op at its root.
std::span<const Rule* const> rules_for(Ops op);

// What the rule makes of the expression; nothing where it does not apply.
Rewritten apply(const Rule& rule, Simplifier& simplifier, ExprId id);

// The parts of the list, in order.
std::vector<Rule> invalid_rules();     // rules_invalid.cpp: pm_data_invalid
std::vector<Rule> folding_rules();     // rules_folding.cpp: symbolic_simple
std::vector<Rule> movement_rules();    // rules_movement.cpp: mop_cleanup and commutative
std::vector<Rule> combining_rules();   // rules_combining.cpp: symbolic up to its comparisons
std::vector<Rule> comparison_rules();  // rules_comparison.cpp: the rest of it
std::vector<Rule> division_rules();    // rules_division.cpp: div_and_mod_symbolic

}  // namespace vizd::tinygrad_2026_08
