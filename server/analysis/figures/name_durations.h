// How the durations of one name's events spread over a whole profile. Any thread; the capture is only read.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/figures/range_table.h"
#include "model/capture.h"
#include "timeline/timeline.h"

namespace vizd {

struct NameDurations {
  Figures figures;                   // count 0: no such event
  bool exact = true;                 // median, 90th percentile and bins; else within 1 %
  std::vector<double> edges_ns;      // of bins of equal ratio, from the least (1 ns at least) to the longest
  std::vector<std::uint64_t> count;  // events by bin, one less than edges
};

// The durations of the name with that number, in those lanes (each named once, and existing).
NameDurations name_durations(const Profile& profile, const Timeline& timeline, std::uint32_t name,
                             const std::vector<std::uint32_t>& lanes, std::size_t bins, unsigned threads,
                             std::uint64_t most_exact = kMostExactEvents, const Budget& budget = {});

}  // namespace vizd
