// Moves times that are read to another clock. Pure functions.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/column.h"
#include "model/event_columns.h"
#include "model/flow_ends.h"

namespace vizd::chrome_trace {

inline void shift_times(Column<std::int64_t>& times, std::int64_t by_ns) {
  for (std::size_t i = 0; i < times.size(); ++i) times.set(i, times[i] + by_ns);
}

inline void shift_times(EventColumns& events, std::int64_t by_ns) {
  events.for_each_column([&](auto& column) {
    if constexpr (std::is_same_v<std::decay_t<decltype(column)>, Column<std::int64_t>>) shift_times(column, by_ns);
  });
}

// Shifts the ends for which takes(end) holds.
template <typename Takes>
void shift_times(FlowEnds& ends, std::int64_t by_ns, Takes&& takes) {
  FlowEnds shifted;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    FlowEnd end = ends[i];
    if (takes(end)) end.at_ns += by_ns;
    shifted.push_back(end);
  }
  ends = std::move(shifted);
}

inline void shift_times(FlowEnds& ends, std::int64_t by_ns) {
  shift_times(ends, by_ns, [](const FlowEnd&) { return true; });
}

}  // namespace vizd::chrome_trace
