// StepLeaks: allocations that a step made and the step after it left. Steps end where ranges that the program named so
// end; the first makes what lasts, and what the last one leaves is not known. Any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/allocator/allocator_curve.h"
#include "analysis/allocator/owners.h"
#include "model/allocator_log.h"
#include "model/track.h"

namespace vizd {

class StepLeaks {
 public:
  // ends_ns: of the steps, ascending. The track must outlive it.
  StepLeaks(const Track& track, std::span<const std::int64_t> ends_ns) : lives_(track.allocator->lives) {
    if (!track.allocator->has_times) return;
    for (const std::int64_t end_ns : ends_ns) ends_.push_back(moment_at(*track.allocator, end_ns));
  }

  // Steps that can be judged, from 1 on.
  std::size_t judged() const { return ends_.size() < 3 ? 0 : ends_.size() - 2; }
  // Calls tell(life, step) for each that leaks, in order of birth: the step that made it and whose next one left it.
  template <typename Tell>
  void for_each(Tell&& tell) const {
    if (judged() == 0) return;
    const auto births = lives_.born.span();
    const auto first = std::ranges::upper_bound(births, ends_[0]) - births.begin();
    std::size_t step = 1;
    for (auto life = static_cast<std::uint32_t>(first); life < births.size(); ++life) {
      // It was made in the first step that does not end before it.
      while (births[life] > ends_[step]) {
        if (++step > judged()) return;
      }
      if (lives_.done(life) > ends_[step + 1]) tell(life, step);
    }
  }

 private:
  const AllocatorLives& lives_;
  std::vector<AllocatorMoment> ends_;  // the moment from which each step is over
};

// Memory that one line allocated in a step and that was still allocated when the next step ended.
struct LineLeaks {
  std::string line;
  AllocationSum sum;
  std::size_t steps = 0;  // in how many it did
};

// All leaks of a memory, as `vizd memory` and `vizd diagnose` tell them.
struct StepLeakSums {
  std::string steps_begin = {};  // what the names of the steps begin with: "ProfilerStep#"
  bool are_steps = false;        // StepNameCount
  std::size_t judged = 0;        // StepLeaks
  AllocationSum sum = {};
  std::vector<LineLeaks> lines = {};  // the one with the most bytes first; none: no step leaks

  std::uint64_t bytes_per_step() const { return sum.block_bytes / judged; }
  // Whether one line leaks in most steps: what one step alone keeps may be made once for all.
  bool is_by_most_steps() const;
  std::string size_text() const;  // of a step: "2.10 MB"
  std::string text() const;       // "2.10 MB a step of ProfilerStep# are left by the next step too, 3 blocks in …"
};
// None where no steps are told apart that can be judged. The track has an allocator's log.
std::optional<StepLeakSums> sum_step_leaks(const Capture& capture, const Track& track);

}  // namespace vizd
