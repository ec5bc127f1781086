#include "analysis/figures/overlap.h"

#include <algorithm>

#include "analysis/figures/rows_by_start.h"
#include "analysis/figures/span_union.h"

namespace vizd {

std::int64_t overlap_of(std::vector<Interval>& intervals) {
  std::ranges::sort(intervals, {}, &Interval::start_ns);
  SpanUnion covered;
  std::int64_t sum_ns = 0;
  for (const Interval& each : intervals) {
    covered.add(each.start_ns, each.end_ns);
    sum_ns += each.end_ns - each.start_ns;
  }
  return sum_ns - covered.length_ns();
}

bool NameOverlaps::find_rows(const EventColumns& events, std::span<const LaneRow> rows, std::int64_t from_ns,
                             std::int64_t to_ns) {
  bool is_any = false;
  for (const LaneRow& where : rows) {
    const Row row = timeline_.lanes[where.lane].row(where.row);
    const std::uint32_t end = first_starting_at(events, row, to_ns);
    for (std::uint32_t i = first_ending_after(events, row, from_ns); i < end; ++i) {
      Name& name = names_[timeline_.number_of(events.name(i))];
      if (name.lane != where.lane) {
        name = {where.lane, where.row, false, from_ns};
      } else if (name.row != where.row) {
        name.is_in_several = is_any = true;
      }
    }
  }
  return is_any;
}

void NameOverlaps::of_lane(const EventColumns& events, std::span<const LaneRow> rows, std::int64_t from_ns,
                           std::int64_t to_ns, const Budget& budget, const Tell& tell) {
  if (rows.size() < 2 || !find_rows(events, rows, from_ns, to_ns)) return;
  const auto number_of = [&](std::uint32_t event) { return timeline_.number_of(events.name(event)); };
  for_each_by_start(
      events, timeline_.lanes[rows.front().lane], rows, from_ns, to_ns, budget,
      [&](std::uint32_t event) { return names_[number_of(event)].is_in_several; },
      [&](std::uint32_t event) {
        const std::uint32_t number = number_of(event);
        Name& name = names_[number];
        const std::int64_t end_ns = std::min(events.end_ns(event), to_ns);
        const std::int64_t overlap_ns =
            std::min(name.covered_until_ns, end_ns) - std::max(events.start_ns(event), from_ns);
        if (overlap_ns > 0) tell(number, overlap_ns);
        name.covered_until_ns = std::max(name.covered_until_ns, end_ns);
      });
}

}  // namespace vizd
