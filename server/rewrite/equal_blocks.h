// The stretches that two sequences of lines have in common, as Python's difflib.SequenceMatcher finds them, with its
// "popular lines" rule. Pure, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/budget.h"

namespace vizd {

// before[a .. a+size) and after[b .. b+size) are the same lines.
struct EqualBlock {
  std::uint32_t a = 0, b = 0, size = 0;
};

// Lines are numbers below line_count, equal where the lines are. In order in both sequences, adjacent blocks joined.
// O(p log p) time and O(p) memory for p pairs of equal lines that are not popular; where p would pass 2^24, the most
// frequent lines are counted as popular too, and the blocks may differ from Python's.
// Worth nothing once the budget is over.
std::vector<EqualBlock> equal_blocks(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after,
                                     std::size_t line_count, const Budget& budget);

}  // namespace vizd
