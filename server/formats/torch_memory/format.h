// PyTorch's snapshots of device memory: what torch.cuda.memory._dump_snapshot() writes, a pickle of plain values.
#pragma once

#include <span>

#include "formats/registry.h"

namespace vizd::torch_memory {

extern const Format kFormat;

// Whether a file begins like a snapshot, by either pickler, or like a bare list of segments.
bool sniff(const FileBeginning& beginning);

// Adds to the capture a track for each device: its allocations, and the bytes that it had reserved, allocated, active
// and requested over time. Errors: as read_snapshot().
Result<void> read(const FormatInput& input, Capture& capture);

}  // namespace vizd::torch_memory
