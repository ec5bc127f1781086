// The difference between two texts, line by line, as Python's difflib.unified_diff prints it: the same blocks are
// found equal as its SequenceMatcher finds, with its "popular lines" rule. Pure, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"

namespace vizd {

// list(difflib.unified_diff(before.splitlines(), after.splitlines())): "--- \n", "+++ \n", then hunks of "@@ … @@\n"
// and lines beginning with ' ', '-' or '+', three lines of context. Empty where the texts have the same lines.
// Costs what equal_blocks costs, and like them may differ from Python's for very many equal lines.
// Worth nothing once the budget is over.
std::vector<std::string> unified_diff(std::string_view before, std::string_view after, const Budget& budget = Budget());

}  // namespace vizd
