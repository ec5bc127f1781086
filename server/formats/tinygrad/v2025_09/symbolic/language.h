// The expressions of 2025-09: its rules are those of symbolic.py's symbolic. Sizes are made of whole numbers and
// variables with + * // % and max, and are compared with < and !=: the rules for anything else (floats, vectors, bits,
// choices, casts, sums of booleans, Invalid) have nothing to apply to and are left out, as are those whose work another
// rule does with the same result. Constant data; any thread.
#pragma once

#include <vector>

#include "formats/tinygrad/symbolic/language.h"
#include "formats/tinygrad/symbolic/rule.h"

namespace vizd::tinygrad_2025_09 {

extern const tinygrad::Language kLanguage;

// The part of the table about // and %, in order (rules_division.cpp).
std::vector<tinygrad::Rule> division_rules();

}  // namespace vizd::tinygrad_2025_09
