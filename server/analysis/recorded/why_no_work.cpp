#include "analysis/recorded/why_no_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace vizd {

Absence why_no_work(const Capture& capture, const WorkScope& scope, std::string none) {
  if (auto lacking = if_not_recorded(capture, Recordable::kDeviceWork)) return *std::move(lacking);
  if (scope.step) {
    // A step that is not there is another mistake than one in which nothing ran.
    std::vector<std::int64_t> steps;
    for (const Run& run : capture.profile.runs) {
      if (capture.strings.get(run.kind) == "step") steps.push_back(run.number);
    }
    if (steps.empty()) return not_recorded(capture, Recordable::kRuns);
    const auto [least, greatest] = std::ranges::minmax(steps);
    if (std::ranges::find(steps, *scope.step) == steps.end())
      return {Nothing::kNone, fmt::format("there is no step {}", *scope.step),
              fmt::format("the steps are from {} to {}", least, greatest)};
  }
  if (!scope.is_all()) {
    const bool is_time_range = !scope.step && !scope.rank && !scope.device && !scope.kernel;
    return {Nothing::kNotAsked, is_time_range ? "no device work in this time range" : "no device work in this scope",
            "widen it to see more of the capture"};
  }
  return {Nothing::kNone, std::move(none), ""};
}

}  // namespace vizd
