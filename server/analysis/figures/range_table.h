// Sums up a range of time by name: how often, how long, and the longest event of each. Any thread; the capture is
// only read.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/figures/figures.h"
#include "base/budget.h"
#include "model/capture.h"
#include "timeline/tiles.h"
#include "timeline/timeline.h"

namespace vizd {

struct NameFigures {
  std::uint32_t name = 0;      // number
  std::uint32_t lane = kNoId;  // in which; kNoId where those of all lanes are one
  Figures figures;
};

struct RangeTable {
  std::vector<NameFigures> names;  // the most time first
  std::uint64_t events = 0;
  bool exact = true;  // median and 90th percentile; else within 1 % (all else is always exact)
};

// A line of the table is a name, or a name in each lane by itself.
enum class TableLines { kNames, kNamesByLane };

// Medians are exact up to that many events.
inline constexpr std::uint64_t kMostExactEvents = 4'000'000;

// The table of the events of these rows (sorted, each named once, and existing) that overlap [from_ns, to_ns), on the
// capture's clock; an instant overlaps if it is in it.
RangeTable range_table(const Profile& profile, const Timeline& timeline, const std::vector<LaneRow>& rows,
                       std::int64_t from_ns, std::int64_t to_ns, TableLines lines, unsigned threads,
                       std::uint64_t most_exact = kMostExactEvents, const Budget& budget = {});

}  // namespace vizd
