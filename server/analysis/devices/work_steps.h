// WorkSteps: the step of the workload that a piece of work belongs to: the one in which it was launched. Refers to what
// it is given. One thread: it remembers each rank's steps.
#pragma once

#include <cstdint>
#include <map>

#include "analysis/devices/device_work.h"
#include "analysis/figures/steps.h"

namespace vizd {

class WorkSteps {
 public:
  WorkSteps(const Profile& profile, const StringTable& strings, const DeviceWork& work)
      : profile_(profile), strings_(strings), work_(work) {}

  // The place in Profile::runs; kNoId: it was launched in none. Work without a known call counts where it began.
  std::uint32_t of(const WorkItem& item) {
    return of_rank(work_.device_of(item).root).at(item.call == kNoId ? item.start_ns : work_.calls[item.call].start_ns);
  }
  bool is_in(const WorkItem& item, std::int64_t number) {
    const std::uint32_t run = of(item);
    return run != kNoId && profile_.runs[run].number == number;
  }
  // The rank's steps, by its track.
  const Steps& of_rank(std::uint32_t root) { return steps_.try_emplace(root, profile_, strings_, root).first->second; }

 private:
  const Profile& profile_;
  const StringTable& strings_;
  const DeviceWork& work_;
  std::map<std::uint32_t, Steps> steps_;  // by root
};

}  // namespace vizd
