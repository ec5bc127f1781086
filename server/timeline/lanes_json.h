// The body of GET /api/v1/lanes, and the pages of names (server/http/API.md). Any thread; the capture is only read.
#pragma once

#include <cstdint>
#include <string>

#include "base/json_writer.h"
#include "model/capture.h"
#include "timeline/timeline.h"

namespace vizd {

inline constexpr std::size_t kNamesPerPage = 1024;

// "16 hex digits"
std::string key_text(const Timeline& timeline);

// The members of the body after "status", into an object that is open. key: what the timeline is asked for by; its own
// where that is empty.
void write_lanes(JsonWriter& json, const Capture& capture, const Timeline& timeline, std::string_view key = {});
// "names": [...], those from page * kNamesPerPage on.
void write_names(JsonWriter& json, const Capture& capture, const Timeline& timeline, std::size_t page);

}  // namespace vizd
