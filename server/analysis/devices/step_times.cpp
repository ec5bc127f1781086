#include "analysis/devices/step_times.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "analysis/devices/work_steps.h"

namespace vizd {
namespace {

constexpr std::int64_t kNever_ns = std::numeric_limits<std::int64_t>::max();

// What devices did of a step's work.
struct WorkOfStep {
  std::int64_t first_ns = kNever_ns, end_ns = std::numeric_limits<std::int64_t>::min();
};

class StepTimes {
 public:
  StepTimes(const Capture& capture, const DeviceWork& work)
      : profile_(capture.profile), work_(work), steps_(capture.profile, capture.strings, work) {
    for (const WorkItem& item : work.items) {
      const std::uint32_t run = steps_.of(item);
      if (run == kNoId) continue;
      WorkOfStep& of = work_of_run(work.device_of(item).root, run);
      of.first_ns = std::min(of.first_ns, item.start_ns);
      of.end_ns = std::max(of.end_ns, item.end_ns);
    }
  }

  void add(std::uint32_t root, std::vector<StepTime>& times) {
    std::int64_t ended_ns = std::numeric_limits<std::int64_t>::min();
    bool is_first = true;
    for (const std::uint32_t run : steps_.of_rank(root).runs()) {
      const Run& host = profile_.runs[run];
      const WorkOfStep& of = work_of_run(root, run);
      if (std::exchange(is_first, false)) ended_ns = end_before(root, of.first_ns);
      const std::int64_t from_ns = std::max(host.from_ns, ended_ns);
      ended_ns = std::max({from_ns, host.to_ns, of.end_ns});
      times.push_back({{from_ns, ended_ns}, run, root, host.number});
    }
  }

 private:
  WorkOfStep& work_of_run(std::uint32_t root, std::uint32_t run) {
    std::vector<WorkOfStep>& of_rank = work_of_[root];
    of_rank.resize(profile_.runs.size());
    return of_rank[run];
  }

  // When work of no step had ended that came before the first step's: steps before it may not have been recorded.
  std::int64_t end_before(std::uint32_t root, std::int64_t first_ns) {
    std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
    if (first_ns == kNever_ns) return end_ns;
    for (const WorkItem& item : work_.items) {
      if (item.end_ns <= end_ns || item.end_ns > first_ns || work_.device_of(item).root != root) continue;
      if (steps_.of(item) == kNoId) end_ns = item.end_ns;
    }
    return end_ns;
  }

  const Profile& profile_;
  const DeviceWork& work_;
  WorkSteps steps_;
  std::map<std::uint32_t, std::vector<WorkOfStep>> work_of_;  // by root, and by place in Profile::runs
};

}  // namespace

std::vector<StepTime> find_step_times(const Capture& capture, const DeviceWork& work,
                                      std::span<const std::uint32_t> roots) {
  std::vector<StepTime> times;
  if (capture.profile.runs.empty()) return times;
  StepTimes of(capture, work);
  for (const std::uint32_t root : roots) of.add(root, times);
  return times;
}

const StepTime* find_step(const DeviceWork& work, std::uint32_t root, std::int64_t number) {
  const auto found = std::ranges::find_if(
      work.steps, [&](const StepTime& step) { return step.root == root && step.number == number; });
  return found == work.steps.end() ? nullptr : &*found;
}

}  // namespace vizd
