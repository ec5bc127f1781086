// What a core's engines were at over time, as the counters that bigTpuProfile's users know: how much of its time TIU
// worked, and how much GDMA moved. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/bigtpu/stretches.h"
#include "model/track.h"

namespace vizd::bigtpu {

// How wide the windows are that a share of time is told of: a power of two, so that few thousand fill all the time.
std::int64_t window_of(std::int64_t dur_ns);

// Adds, for each window from start_ns on, the share in percent that the stretches fill, and 0 from end_ns on. busy:
// sorted, apart from each other, within these times.
void add_utilization(const Stretches& busy, std::int64_t start_ns, std::int64_t end_ns, Counter& counter);

// A transfer, and how fast it was as a whole.
struct Transfer {
  std::int64_t start_ns = 0, end_ns = 0;
  double gb_per_s = 0;
};
// What all transfers of a moment move together: those that overlap are added up.
void add_bandwidth(std::span<const Transfer> transfers, Counter& counter);

}  // namespace vizd::bigtpu
