// Cuts a stretch of time out of a profile. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/devices/work_scope.h"
#include "model/capture.h"

namespace vizd {

// A stretch of a root track's time, or of everybody's where there is none (kNoId).
struct CutRange {
  std::uint32_t root = kNoId;
  std::int64_t from_ns = 0, to_ns = 0;  // as the profile's times
};

// What of the scope a cut obeys: range, step and rank; a stretch of time holds all devices and kernels. A step is that
// of each rank by its own time; none where the profile has no such step or rank.
std::vector<CutRange> cut_ranges(const Capture& capture, const WorkScope& scope);

// Leaves of the profile what overlaps a range: events whole, and with them the work that calls in a range launched,
// whenever that ran, in place of work that others did. Flows stay where both of their events do. The capture has not
// been prepared for the timeline.
void cut_profile(Capture& capture, const std::vector<CutRange>& ranges);

}  // namespace vizd
