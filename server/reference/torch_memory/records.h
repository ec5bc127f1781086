// The answers about a memory snapshot, record by record; reference: the program that users knew its figures by is
// PyTorch's _memory_viz.py. Each hands its records to take, in no order that means anything. One thread.
#pragma once

#include "formats/torch_memory/answers/memory_file.h"

namespace vizd::torch_memory {

// The file, its devices, actions, pools, fragmentation, out-of-memory errors and annotations.
void tell_summary(MemoryFile& file, const TakeRecord& take);

// Every allocation's life.
void tell_allocations(const MemoryFile& file, const TakeRecord& take);

}  // namespace vizd::torch_memory
