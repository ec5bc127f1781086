// An ETDump as a profile: what the runtime called on a thread for each method, kernels and delegates as the lanes of a
// device, iterations as runs, allocations as memory. One thread.
#pragma once

#include "formats/etdump/inspection.h"
#include "model/capture.h"

namespace vizd::etdump {

// Adds the tracks. Errors: the file's.
Result<void> add_tracks(const Sources& sources, Settings settings, Capture& capture);

}  // namespace vizd::etdump
