// Where an event stands among those of its lane: what runs at a time, what holds it, what it takes by itself. Pure
// functions of a timeline that is only read.
#pragma once

#include <cstdint>

#include "timeline/timeline.h"

namespace vizd {

struct EventPlace {
  std::uint32_t lane = 0, event = 0;
  bool operator==(const EventPlace&) const = default;
};

// The event of a row that runs at that time (on the capture's clock), else kNoId. The row exists.
std::uint32_t event_at(const EventColumns& events, const Row& row, std::int64_t at_ns);
// The innermost event that holds this one; kNoId where none does.
std::uint32_t parent_of(const EventColumns& events, const LaneIndex& lane, std::uint32_t event);
// The event of the lowest row that runs at that time; kNoId where none does.
std::uint32_t innermost_at(const EventColumns& events, const LaneIndex& lane, std::int64_t at_ns);
// The event's time without those that it holds in the row below.
std::int64_t self_ns(const EventColumns& events, const LaneIndex& lane, std::uint32_t event);

}  // namespace vizd
