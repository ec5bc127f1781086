// Which traces are the ranks of one job, so that they make one capture. Any thread.
#pragma once

#include <span>
#include <vector>

#include "formats/input_set.h"

namespace vizd::chrome_trace {

// Traces that tell of different ranks of a world of one size, in one folder, make one set, in the order of the ranks;
// where a rank is there twice the second begins another set. Any other trace is a set by itself. Looks into the files.
std::vector<InputSet> claim(std::span<const ListedFile> listing);

}  // namespace vizd::chrome_trace
