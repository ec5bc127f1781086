// Two memory snapshots compared, for `vizd compare`. One thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "analysis/allocator/memory_part.h"
#include "formats/input_set.h"

namespace vizd {

struct MemoryComparison {
  InputSet a;
  std::optional<InputSet> b;  // none: parts of the one are compared
  MemoryChoice a_part = {}, b_part = {};
  std::size_t limit = 0;                       // rows of a table; 0: all
  std::optional<double> most_regress_percent;  // of the peak of allocated bytes
  bool json = false;
};

// Prints what is allocated at the end and at the peak of each, by the user's line. Whether the peak of allocated bytes
// of any device rose by more than allowed, which is said on stderr; none where one cannot be read.
std::optional<bool> print_memory_comparison(const MemoryComparison& comparison);

}  // namespace vizd
