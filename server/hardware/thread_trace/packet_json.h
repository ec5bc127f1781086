// Packets as JSON, for programs: ["INST", 1398, {"wave": 0, "op": "SALU", …}], with operations and sources by name.
#pragma once

#include <cstddef>
#include <span>

#include "base/json_writer.h"

namespace vizd::thread_trace {

// A list of all packets of the trace.
void write_packets(JsonWriter& json, std::span<const std::byte> trace);

}  // namespace vizd::thread_trace
