// The steps of a program whose allocator recorded what the program named: ranges that come again and again. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/allocator/owners.h"

namespace vizd {

struct StepNameCount {
  std::string name;  // what the ranges' names begin with: "ProfilerStep#", "train_step_"
  std::size_t count = 0;
  bool are_steps = false;  // they are numbered, or an optimizer's steps; else they are only many
};

// Three and more of them; that which is most likely to be the whole step stands first.
std::vector<StepNameCount> step_names(const NamedRanges& ranges);

}  // namespace vizd
