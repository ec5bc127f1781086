// The steps of a workload, as the events of a trace tell them. Shared by the formats that traces are read from.
#pragma once

#include <cstdint>

#include "model/capture.h"

namespace vizd::trace {

// Of the tracks from the first on that hang on the root (kNoId: of all): the profiler's steps as runs.
void add_steps(Capture& capture, std::uint32_t first_track, std::uint32_t root_track);

}  // namespace vizd::trace
