// StepLeaks: allocations that a step made and the step after it left. Steps end where ranges that the program named so
// end; the first makes what lasts, and what the last one leaves is not known. Any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/allocator_log.h"
#include "model/track.h"

namespace vizd {

class StepLeaks {
 public:
  // ends_ns: of the steps, ascending. The track must outlive it.
  StepLeaks(const Track& track, std::vector<std::int64_t> ends_ns) : track_(track), ends_ns_(std::move(ends_ns)) {}

  // Those that can be judged.
  std::size_t judged() const { return ends_ns_.size() < 3 ? 0 : ends_ns_.size() - 2; }
  // The step that made it and whose next one left it, from 1; none: it is no leak.
  std::optional<std::size_t> step_of(std::uint32_t life) const {
    const AllocatorLog& log = *track_.allocator;
    const AllocatorMoment born = log.lives.born[life], done = log.lives.done(life);
    if (born == 0 || !log.has_times) return std::nullopt;
    // The first that does not end before it.
    const auto found = std::ranges::lower_bound(ends_ns_, log.entries.at_ns[born - 1]);
    const auto step = static_cast<std::size_t>(found - ends_ns_.begin());
    if (step < 1 || step + 1 >= ends_ns_.size()) return std::nullopt;
    const bool is_left = done == kNeverDone || log.entries.at_ns[done - 1] > ends_ns_[step + 1];
    return is_left ? std::optional(step) : std::nullopt;
  }

 private:
  const Track& track_;
  const std::vector<std::int64_t> ends_ns_;
};

}  // namespace vizd
