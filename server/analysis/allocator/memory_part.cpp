#include "analysis/allocator/memory_part.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analysis/allocator/owners.h"
#include "analysis/allocator/step_names.h"

namespace vizd {

Result<MemoryPart> memory_part(const Capture& capture, const Track& track, const AllocatorCurve& curve,
                               const std::string& range) {
  const AllocatorLog& log = *track.allocator;
  const auto times = log.entries.at_ns.span();
  if (range.empty()) {
    return MemoryPart{.peak = curve.allocated.moment,
                      .end = curve.changes().last_moment(),
                      .peak_bytes = curve.allocated.bytes,
                      .from_ns = times.empty() ? 0 : times.front(),
                      .to_ns = times.empty() ? 0 : times.back()};
  }
  const NamedRanges ranges(capture, log.device);
  const auto all = ranges.ranges();
  const auto found = std::ranges::find_if(
      all, [&](const NamedRanges::Range& of) { return of.name == range && of.to_ns != INT64_MAX; });
  if (found == all.end() || !log.has_times)
    return Error{ErrorKind::kNotFound, "no range of that name ended while memory was recorded", range};
  MemoryPart part{.from_ns = found->from_ns, .to_ns = found->to_ns};
  part.peak = peak_between(track, curve, part.from_ns, part.to_ns);
  part.end = moment_at(log, part.to_ns);
  part.peak_bytes = curve.allocated_at(part.peak);
  return part;
}

std::optional<std::pair<MemoryChoice, MemoryChoice>> parts_to_compare(const Capture& capture) {
  std::vector<std::int64_t> devices;
  for (const Track& track : capture.profile.tracks) {
    if (track.allocator != nullptr) devices.push_back(track.allocator->device);
  }
  if (devices.empty()) return std::nullopt;
  const NamedRanges ranges(capture, devices.front());
  if (const auto repeated = step_names(ranges); !repeated.empty()) {
    std::unordered_set<std::string_view> steps;
    std::string_view second, last;
    for (const NamedRanges::Range& range : ranges.ranges()) {
      const bool is_step = range.to_ns != INT64_MAX && name_without_number(range.name) == repeated.front().name;
      if (!is_step || !steps.insert(range.name).second) continue;
      if (steps.size() == 2) second = range.name;
      last = range.name;
    }
    // The first one makes what lasts.
    if (steps.size() > 2) return std::pair(MemoryChoice{{}, std::string(second)}, MemoryChoice{{}, std::string(last)});
  }
  if (devices.size() < 2) return std::nullopt;
  return std::pair(MemoryChoice{devices[0], ""}, MemoryChoice{devices[1], ""});
}

}  // namespace vizd
