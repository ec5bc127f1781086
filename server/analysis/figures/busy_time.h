// In how much of a range of time anything runs (docs/figures.md). Any thread; the capture is only read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "model/capture.h"
#include "timeline/tiles.h"
#include "timeline/timeline.h"

namespace vizd {

// The time in [from_ns, to_ns), on the capture's clock, in which at least one event of a lane's rows runs, summed over
// the lanes. Rows are sorted, each named once, and there.
std::int64_t busy_time(const Profile& profile, const Timeline& timeline, const std::vector<LaneRow>& rows,
                       std::int64_t from_ns, std::int64_t to_ns, unsigned threads, const Budget& budget = {});

// The time of some lanes in a range, which shares are taken of.
struct RangeTime {
  std::size_t lanes = 0;     // with events
  std::int64_t busy_ns = 0;  // busy_time
  std::int64_t wall_ns = 0;  // the range's length, once for each lane
};
RangeTime range_time(const Profile& profile, const Timeline& timeline, const std::vector<LaneRow>& rows,
                     std::int64_t from_ns, std::int64_t to_ns, unsigned threads, const Budget& budget = {});

// All rows of these lanes.
std::vector<LaneRow> rows_of(const Timeline& timeline, const std::vector<std::uint32_t>& lanes);

}  // namespace vizd
