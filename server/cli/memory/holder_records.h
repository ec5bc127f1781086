// Who holds a memory whose allocations are known one by one, though its allocator told nothing of itself, as in a trace
// with profile_memory: by operator, module and Python line, as the page has it. One thread.
#pragma once

#include <span>
#include <string>

#include "session/loaded_capture.h"

namespace vizd {

bool has_allocations(const Capture& capture);

// Prints the holders of each memory at its peak. groups: names of HolderGroup; limit: the most rows of each, 0: all.
void print_holders(const LoadedCapture& loaded, std::span<const std::string> groups, std::size_t limit, bool json);

}  // namespace vizd
