// What Perfetto calls the packets of a trace, for messages, and which of them have nothing to draw. Pure functions.
#pragma once

#include <string>

#include "formats/perfetto/fields.h"

namespace vizd::perfetto {

// The name of the packet's part in Perfetto's protocol; for one that vizd has no name for "newer than vizd knows (N)".
std::string packet_name(Field part);

// Whether the part says how the trace was recorded: the tracing service adds it to every trace.
bool is_of_service(Field part);

}  // namespace vizd::perfetto
