// Rows of a lane: where each event is drawn so that no two events of a row overlap. An event lies in the row under the
// deepest one that holds it whole; where that row is still taken (events that overlap without nesting, as on devices
// that start a kernel before the last has ended), in the first free row below it. So nothing is dropped, and nothing
// lies directly under an event that does not hold it unless it is counted as re-laned. For nested events these are the
// levels of tinygrad's own page (index.js: the first level whose end has passed).
#pragma once

#include <cstdint>

#include "base/huge_pages.h"
#include "model/event_columns.h"

namespace vizd {

struct LaneRows {
  LargeVector<std::uint32_t> order;   // the events by start, the outer before the inner
  LargeVector<std::uint32_t> row;     // by event
  LargeVector<std::uint32_t> parent;  // by event: the innermost event that holds it, kNoId where there is none
  std::uint32_t row_count = 0;
  std::uint32_t relaned = 0;
  std::int64_t busy_ns = 0;  // in which at least one event runs
};

// Costs n log n whatever the events are, and little more than n where they are nearly in order. 16 bytes an event at
// most while it runs, 12 in what it returns. An event that ends before it starts counts as one that ends there.
LaneRows lane_rows(const EventColumns& events);

}  // namespace vizd
