// Events as JSON (server/http/API.md): the short form by which answers refer to one, and all that is known of it. Times
// count from the profile's start. Any thread; the capture is only read.
#pragma once

#include <cstdint>
#include <string>

#include "base/json_writer.h"
#include "model/capture.h"
#include "timeline/timeline.h"

namespace vizd {

struct EventPlace {
  std::uint32_t lane = 0, event = 0;
  bool operator==(const EventPlace&) const = default;
};

enum class WithArguments : bool { kNo, kYes };

// The event exists.
void write_event(JsonWriter& json, const Capture& capture, const Timeline& timeline, const EventPlace& place,
                 WithArguments with = WithArguments::kNo);
std::string event_json(const Capture& capture, const Timeline& timeline, const EventPlace& place);

// The event of a row that runs at that time (on the capture's clock), else kNoId. The row exists.
std::uint32_t event_at(const EventColumns& events, const Row& row, std::int64_t at_ns);
// The innermost event that holds this one; kNoId where none does.
std::uint32_t parent_of(const EventColumns& events, const LaneIndex& lane, std::uint32_t event);
// What the event takes without those that it holds in the row below.
std::int64_t self_ns(const EventColumns& events, const LaneIndex& lane, std::uint32_t event);

}  // namespace vizd
