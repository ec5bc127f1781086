// Events as JSON (server/http/API.md): the short form by which answers refer to one, and all that is known of it. Times
// count from the profile's start. Any thread; the capture is only read.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "model/capture.h"
#include "timeline/event_nesting.h"

namespace vizd {

enum class WithArguments : bool { kNo, kYes };

// The event exists.
void write_event(JsonWriter& json, const Capture& capture, const Timeline& timeline, const EventPlace& place,
                 WithArguments with = WithArguments::kNo);
std::string event_json(const Capture& capture, const Timeline& timeline, const EventPlace& place);

}  // namespace vizd
