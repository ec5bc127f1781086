// The runs of programs that thread traces or samples of program counters tell of, each with the event of the timeline
// that it is. Views into the capture, which must outlive them. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/capture.h"
#include "timeline/event_nesting.h"

namespace vizd {

// What a run is called in the id of its trace (TraceId): "2", or of a sampling "s2".
std::string run_name(bool is_sampling, std::uint32_t place);

struct TracedRun {
  bool is_sampling = false;
  std::uint32_t run = 0;  // its place among recorded_runs(), or recorded_samplings()
  std::string_view kernel, device;
  std::optional<EventPlace> event;  // nothing where the profile does not tell when it ran
};

// Runs in the order in which they were recorded, then samplings.
std::vector<TracedRun> traced_runs(const Capture& capture);

}  // namespace vizd
