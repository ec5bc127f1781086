#include "timeline/event_nesting.h"

namespace vizd {

std::uint32_t event_at(const EventColumns& events, const Row& row, std::int64_t at_ns) {
  const std::uint32_t event = first_ending_after(events, row, at_ns);
  return event < row.end && events.start_ns(event) <= at_ns ? event : kNoId;
}

std::uint32_t parent_of(const EventColumns& events, const LaneIndex& lane, std::uint32_t event) {
  for (std::uint32_t row = lane.row_of(event); row-- > 0;) {
    const std::uint32_t holder = event_at(events, lane.row(row), events.start_ns(event));
    if (holder != kNoId && events.end_ns(holder) >= events.end_ns(event)) return holder;
  }
  return kNoId;
}

std::uint32_t innermost_at(const EventColumns& events, const LaneIndex& lane, std::int64_t at_ns) {
  for (std::uint32_t row = lane.row_count(); row-- > 0;) {
    const std::uint32_t event = event_at(events, lane.row(row), at_ns);
    if (event != kNoId) return event;
  }
  return kNoId;
}

std::int64_t self_ns(const EventColumns& events, const LaneIndex& lane, std::uint32_t event) {
  const std::int64_t start_ns = events.start_ns(event), end_ns = events.end_ns(event);
  const std::uint32_t below = lane.row_of(event) + 1;
  if (below >= lane.row_count() || start_ns == end_ns) return end_ns - start_ns;
  const Row row = lane.row(below);
  const std::uint32_t first = first_starting_at(events, row, start_ns);
  std::uint32_t last = first_starting_at(events, row, end_ns);
  if (last > first && events.end_ns(last - 1) > end_ns) --last;  // crosses the end: not held
  const std::int64_t held_ns = busy_before_ns(events, row, last) - busy_before_ns(events, row, first);
  return end_ns - start_ns - held_ns;
}

}  // namespace vizd
