// The executions of a context: events that lead to it and are it at work, not its making. Any thread; the capture is
// only read.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "model/capture.h"

namespace vizd {

struct Execution {
  std::uint32_t lane = 0, event = 0;
  std::int64_t start_ns = 0, dur_ns = 0;  // from the profile's start
};

// The longest first: those that have the context's own name ("compile E_4" is E_4's making); where none
// has, all that lead to it. O(events).
std::vector<Execution> executions_of_context(const Capture& capture, std::uint32_t context);

// The longest first: those in lanes of the program's device.
std::vector<Execution> executions_of_program(const Capture& capture, std::uint32_t context, std::string_view device);

// The value of "executions" (server/http/API.md); null where there are none.
void write_executions(JsonWriter& json, const Capture& capture, std::vector<Execution> executions);

}  // namespace vizd
