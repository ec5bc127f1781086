// A profile, or a part of it, as a document: tables of events, and Chrome's trace format, which other viewers read.
// Written as it is made, since it may be larger than memory. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "model/capture.h"

namespace vizd {

// What is taken: events that overlap the times (in nanoseconds from the profile's start), on lanes and of names that
// hold the texts.
struct ProfileFilter {
  std::string lane;
  std::string name;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = std::numeric_limits<std::int64_t>::max();
};

using WriteText = std::function<void(std::string_view text)>;

// One event a line: lane, start_ns, dur_ns, name, context, info. separator: a comma (fields quoted as RFC 4180 says) or
// a tab (tabs and line ends in fields become blanks).
void write_event_table(const Capture& capture, const ProfileFilter& filter, char separator, const WriteText& write);
// One JSON object an event and line.
void write_event_json(const Capture& capture, const ProfileFilter& filter, const WriteText& write);
// Trace events, microseconds; counters, markers and flows too.
void write_chrome_trace(const Capture& capture, const ProfileFilter& filter, const WriteText& write);

}  // namespace vizd
