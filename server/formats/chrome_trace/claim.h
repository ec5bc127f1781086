// Which traces are the ranks of one job, so that they make one capture. Any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/input_set.h"

namespace vizd::chrome_trace {

// Whether a folder is called after one rank of a job (rank0, rank_1, 7), or after the step that a trainer or server
// left its traces at (step_000000000014, iteration_200).
bool is_of_rank_or_step(const std::string& folder);

// Traces that tell of different ranks of a world of one size, in one folder or in folders of ranks that lie in one,
// make one set, in the order of the ranks; where a rank is there twice the second begins another set. Any other trace
// is a set by itself. Looks into the files. own: the format that the sets are of.
std::vector<InputSet> claim(const Format& own, std::span<const ListedFile> listing);

}  // namespace vizd::chrome_trace
