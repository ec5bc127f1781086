// What a snapshot becomes in a capture: a memory for each device, with its allocations and counters; the ranges that
// the program named, and its steps; and a mark where memory ran out.
#pragma once

#include "formats/torch_memory/answers/memory_file.h"
#include "model/capture.h"

namespace vizd::torch_memory {

void add_tracks(MemoryFile& file, Capture& capture);

// For the first entries of a file that is still being read: adds the devices with their counters, whose start values
// are not known yet.
void add_first_curves(MemoryFile& file, Capture& capture);

}  // namespace vizd::torch_memory
