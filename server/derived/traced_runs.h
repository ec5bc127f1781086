// The runs of programs that thread traces tell of, each with the event of the timeline that it is. Views into the
// capture, which must outlive them. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/capture.h"
#include "timeline/event_nesting.h"

namespace vizd {

struct TracedRun {
  std::uint32_t run = 0;  // its place among recorded_runs()
  std::string_view kernel, device;
  std::optional<EventPlace> event;  // nothing where the profile does not tell when it ran
};

// In the order in which they were recorded.
std::vector<TracedRun> traced_runs(const Capture& capture);

}  // namespace vizd
