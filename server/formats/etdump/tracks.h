// An ETDump as a profile: what the runtime called on a thread for each method, kernels and delegates as the lanes of a
// device, iterations as runs, allocations as memory. One thread.
#pragma once

#include "formats/etdump/dump_blocks.h"
#include "formats/etdump/export_graphs.h"
#include "model/capture.h"

namespace vizd::etdump {

// Adds the graphs (export_graphs.h) and the tracks. Errors: the file's.
Result<void> add_tracks(const Sources& sources, Settings settings, const FindErrors& find_errors, Capture& capture);

}  // namespace vizd::etdump
