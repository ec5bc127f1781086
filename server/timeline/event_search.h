// Stepping through picked events in order of start. Any thread; the capture is only read.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "model/capture.h"
#include "timeline/event_json.h"
#include "timeline/picks.h"
#include "timeline/timeline.h"

namespace vizd {

// A place in the order of all events: by start, then lane, then index.
struct EventCursor {
  std::int64_t start_ns = 0;  // on the capture's clock
  EventPlace place;
  auto operator<=>(const EventCursor& other) const {
    return std::tuple(start_ns, place.lane, place.event) <=>
           std::tuple(other.start_ns, other.place.lane, other.place.event);
  }
  bool operator==(const EventCursor&) const = default;
};

// Up to limit picked events of those lanes that follow `after`, in order; from the first where there is none.
std::vector<EventCursor> picked_after(const Profile& profile, const Timeline& timeline, const Picks& picks,
                                      const std::vector<std::uint32_t>& lanes, const std::optional<EventCursor>& after,
                                      std::size_t limit);
// Returns the picked events before `before`, the nearest first.
std::vector<EventCursor> picked_before(const Profile& profile, const Timeline& timeline, const Picks& picks,
                                       const std::vector<std::uint32_t>& lanes, const EventCursor& before,
                                       std::size_t limit);

// How many picked events of those lanes come before the cursor.
std::uint64_t count_picked_before(const Profile& profile, const Timeline& timeline, const Picks& picks,
                                  const std::vector<std::uint32_t>& lanes, const EventCursor& cursor);

}  // namespace vizd
