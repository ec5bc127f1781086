// The steps of a workload, as the events of a trace tell them. Shared by the formats that traces are read from.
#pragma once

#include <cstdint>

#include "model/capture.h"

namespace vizd::trace {

// Adds a run for each of the workload's steps on the tracks from the first on below the root (kNoId: on all).
void add_steps(Capture& capture, std::uint32_t first_track, std::uint32_t root_track);

}  // namespace vizd::trace
