// Makes the model's log of a device's allocator from its replay, and from the entries. One thread.
#pragma once

#include <memory>
#include <span>

#include "formats/torch_memory/answers/memory_file.h"
#include "formats/torch_memory/sites.h"
#include "model/allocator_log.h"

namespace vizd::torch_memory {

// Without its entries and sites.
std::shared_ptr<AllocatorLog> make_log(const MemoryFile& file, const Replay& replay, Sites& sites, Capture& capture);

// Adds the entries of a snapshot to the logs of its devices, whose rows the traces are.
void add_entries(Entries entries, std::span<const Trace> traces, std::span<const std::shared_ptr<AllocatorLog>> logs);

}  // namespace vizd::torch_memory
