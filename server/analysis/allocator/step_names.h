// The steps of a program whose allocator recorded what the program named: ranges that come again and again. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/allocator/owners.h"

namespace vizd {

// A name up to its number: of "ProfilerStep#3" and "train_step_3" what is before the 3; of "Optimizer.step#AdamW.step",
// up to its mark.
std::string_view name_without_number(std::string_view name);

struct StepNameCount {
  std::string name;  // what the ranges' names begin with: "ProfilerStep#", "train_step_"
  std::size_t count = 0;
  std::int64_t total_ns = 0;
  bool are_steps = false;  // they are numbered, or an optimizer's steps; else they are only many
};

// Three and more of them; that which is most likely to be the whole step stands first: of numbered ones that which
// covers the most time.
std::vector<StepNameCount> step_names(const NamedRanges& ranges);

}  // namespace vizd
