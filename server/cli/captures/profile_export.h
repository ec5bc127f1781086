// A profile, or a part of it, as a table of events. Written as it is made, since it may be larger than memory. Any
// thread.
#pragma once

#include "formats/writer.h"
#include "model/capture.h"

namespace vizd {

// One event a line: track (its path), kind, start_ns, dur_ns, name, category, context, and a column an argument.
// separator: a comma (fields quoted as RFC 4180 says) or a tab (tabs and line ends in fields become blanks).
void write_event_table(const Capture& capture, const ProfilePart& part, char separator, const WriteText& write);
// One JSON object an event and line.
void write_event_json(const Capture& capture, const ProfilePart& part, const WriteText& write);

}  // namespace vizd
