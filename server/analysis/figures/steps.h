// Steps: the iterations of a workload that a rank's work falls into (Profile::runs of kind "step"; "iteration" where a
// program was executed again and again). Refers to the profile. Reading may be done by any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/profile.h"
#include "model/track_numbers.h"

namespace vizd {

class Steps {
 public:
  // root: the rank's track; kNoId where the capture is one.
  Steps(const Profile& profile, const StringTable& strings, std::uint32_t root) : profile_(profile) {
    const StringId step = strings.find("step"), iteration = strings.find("iteration");
    for (std::uint32_t r = 0; r < profile.runs.size(); ++r) {
      const Run& run = profile.runs[r];
      const bool is_of = run.track == Track::kNoParent || is_below(profile.tracks, run.track, root);
      if (is_of && run.kind != StringId{kNoId} && (run.kind == step || run.kind == iteration)) runs_.push_back(r);
    }
    std::ranges::stable_sort(runs_, {}, [&](std::uint32_t r) { return profile.runs[r].from_ns; });
  }

  // The place in Profile::runs of the one that was running then: they follow one another. kNoId: none.
  std::uint32_t at(std::int64_t at_ns) const {
    const auto next =
        std::ranges::upper_bound(runs_, at_ns, {}, [&](std::uint32_t r) { return profile_.runs[r].from_ns; });
    if (next == runs_.begin() || at_ns >= profile_.runs[*(next - 1)].to_ns) return kNoId;
    return *(next - 1);
  }

  // Places in Profile::runs, by time.
  const std::vector<std::uint32_t>& runs() const { return runs_; }

  // The first of that number; null where there is none.
  const Run* of_number(std::int64_t number) const {
    const auto found = std::ranges::find(runs_, number, [&](std::uint32_t r) { return profile_.runs[r].number; });
    return found == runs_.end() ? nullptr : &profile_.runs[*found];
  }

 private:
  const Profile& profile_;
  std::vector<std::uint32_t> runs_;  // by time
};

}  // namespace vizd
