// Walks over the events of one lane's rows in the order of their start. Any thread; the capture is only read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "model/capture.h"
#include "timeline/tiles.h"
#include "timeline/timeline.h"

namespace vizd {

// Calls visit(event) for the events that overlap [from_ns, to_ns) and that is_wanted(event) holds of. O(log rows) an
// event, and memory for the rows alone.
template <typename IsWanted, typename Visit>
void for_each_by_start(const EventColumns& events, const LaneIndex& lane, std::span<const LaneRow> rows,
                       std::int64_t from_ns, std::int64_t to_ns, const Budget& budget, const IsWanted& is_wanted,
                       const Visit& visit) {
  struct Head {
    std::uint32_t event, end;
  };
  const auto find_next = [&](Head& head) {
    while (head.event < head.end && !is_wanted(head.event)) ++head.event;
    return head.event < head.end;
  };
  std::vector<Head> heads;
  for (const LaneRow& where : rows) {
    const Row row = lane.row(where.row);
    Head head{first_ending_after(events, row, from_ns), first_starting_at(events, row, to_ns)};
    if (find_next(head)) heads.push_back(head);
  }
  const auto later = [&](const Head& a, const Head& b) { return events.start_ns(a.event) > events.start_ns(b.event); };
  std::ranges::make_heap(heads, later);
  while (!heads.empty() && budget.goes_on()) {
    std::ranges::pop_heap(heads, later);
    Head& head = heads.back();
    visit(head.event++);
    if (find_next(head)) {
      std::ranges::push_heap(heads, later);
    } else {
      heads.pop_back();
    }
  }
}

}  // namespace vizd
