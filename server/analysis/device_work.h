// DeviceWork: what kept a trace's devices busy, and the calls of the host that launched it: the base of sums over
// launches. Refers to the capture. Made once; reading may be done by any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/capture.h"
#include "model/correlation.h"
#include "model/trace_words.h"
#include "model/track_numbers.h"

namespace vizd {

// An event of a trace.
struct TraceEvent {
  std::uint32_t track = 0, event = 0;  // places
  std::uint32_t order = 0;             // in the file
  std::int64_t start_ns = 0, end_ns = 0;
  Correlation correlation = {};
};

struct WorkItem : TraceEvent {
  trace::Work work = trace::Work::kNone;
  std::uint32_t call = kNoId;  // place in DeviceWork::calls
};

struct DeviceWork {
  std::vector<WorkItem> items;    // in the order of the file
  std::vector<TraceEvent> calls;  // of each correlation the first of the file, by correlation
};

// Of the tracks that hang on that one; kNoId: of all.
DeviceWork find_device_work(const Capture& capture, std::uint32_t root = kNoId);

}  // namespace vizd
