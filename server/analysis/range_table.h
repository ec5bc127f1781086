// What a range of time holds, by name: how often, how long, and the worst instance of each. Any thread; the capture is
// only read.
#pragma once

#include <cstdint>
#include <vector>

#include "model/capture.h"
#include "timeline/event_json.h"
#include "timeline/tiles.h"
#include "timeline/timeline.h"

namespace vizd {

struct NameStatistics {
  std::uint32_t name = 0;      // number
  std::uint64_t count = 0;     // events that overlap the range
  std::int64_t sum_ns = 0;     // of their whole durations
  std::int64_t inside_ns = 0;  // what of that lies in the range
  std::int64_t self_ns = 0;    // without what they hold in the row below
  std::int64_t median_ns = 0;  // the middle one, of an even number the upper
  std::int64_t p90_ns = 0;     // nine tenths are not longer
  std::int64_t max_ns = 0;
  EventPlace worst;  // the first of that length
  std::int64_t worst_start_ns = 0;
};

struct RangeTable {
  std::vector<NameStatistics> names;  // the most inside_ns first
  std::uint64_t events = 0;
  bool exact = true;  // median and 90th percentile; else within 1 % (all else is always exact)
};

// Medians are exact up to that many events.
inline constexpr std::uint64_t kMostExactEvents = 4'000'000;

// Of the events of these rows (each named once, and there) that overlap [from_ns, to_ns), on the capture's clock; an
// instant overlaps where it lies in it.
RangeTable range_table(const Profile& profile, const Timeline& timeline, const std::vector<LaneRow>& rows,
                       std::int64_t from_ns, std::int64_t to_ns, unsigned threads,
                       std::uint64_t most_exact = kMostExactEvents);

}  // namespace vizd
