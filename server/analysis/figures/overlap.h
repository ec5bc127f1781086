// In how much of the time several events of one set run at once in a lane: a function that calls itself, a kernel that
// runs twice side by side. What a set's events run for less that overlap is the time in which any of them runs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "model/capture.h"
#include "timeline/tiles.h"
#include "timeline/timeline.h"

namespace vizd {

struct Interval {
  std::int64_t start_ns = 0, end_ns = 0;
};

// The time by which the sum of the intervals is more than what they cover. Sorts them.
std::int64_t overlap_of(std::vector<Interval>& intervals);

// The same for each name of a lane. Takes memory for all of the profile's names, for one lane after another.
class NameOverlaps {
 public:
  using Tell = std::function<void(std::uint32_t name, std::int64_t overlap_ns)>;

  explicit NameOverlaps(const Timeline& timeline) : timeline_(timeline), names_(timeline.names.size()) {}
  // Tells of names with events in several of the rows; those of one row never overlap. All rows are of one lane that
  // was not asked for yet. A name may be told of several times: its overlap is the sum.
  void of_lane(const EventColumns& events, std::span<const LaneRow> rows, std::int64_t from_ns, std::int64_t to_ns,
               const Budget& budget, const Tell& tell);

 private:
  struct Name {
    std::uint32_t lane = kNoId, row = 0;  // where it was met first
    bool is_in_several = false;
    std::int64_t covered_until_ns = 0;
  };
  bool find_rows(const EventColumns& events, std::span<const LaneRow> rows, std::int64_t from_ns, std::int64_t to_ns);

  const Timeline& timeline_;
  std::vector<Name> names_;
};

}  // namespace vizd
