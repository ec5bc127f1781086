// In how much of a range of time anything runs. Any thread; the capture is only read.
#pragma once

#include <cstdint>
#include <vector>

#include "model/capture.h"
#include "timeline/tiles.h"
#include "timeline/timeline.h"

namespace vizd {

// The time in [from_ns, to_ns), on the capture's clock, in which at least one event of a lane's rows runs, summed over
// the lanes. Rows are sorted, each named once, and there.
std::int64_t busy_time(const Profile& profile, const Timeline& timeline, const std::vector<LaneRow>& rows,
                       std::int64_t from_ns, std::int64_t to_ns, unsigned threads);

}  // namespace vizd
