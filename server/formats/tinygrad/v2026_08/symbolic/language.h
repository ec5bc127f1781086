// The expressions of 2026-08: its rules are those of symbolic.py, divandmod.py and movement.py, part by part. Left out
// are only the two rules for POW and the one that renames nothing an index can hold. Constant data; any thread.
#pragma once

#include <vector>

#include "formats/tinygrad/symbolic/language.h"
#include "formats/tinygrad/symbolic/rule.h"
#include "formats/tinygrad/v2026_08/ops.h"

namespace vizd::tinygrad_2026_08 {

extern const Language kLanguage;

// The parts of the table, in order.
std::vector<Rule> invalid_rules();     // rules_invalid.cpp: pm_data_invalid
std::vector<Rule> folding_rules();     // rules_folding.cpp: symbolic_simple
std::vector<Rule> movement_rules();    // rules_movement.cpp: mop_cleanup
std::vector<Rule> combining_rules();   // rules_combining.cpp: symbolic up to its comparisons
std::vector<Rule> comparison_rules();  // rules_comparison.cpp: the rest of it
std::vector<Rule> division_rules();    // rules_division.cpp: div_and_mod_symbolic
std::vector<Rule> division_rules_of_13();

}  // namespace vizd::tinygrad_2026_08
