// Survives a mapped file that is cut while it is read. The kernel kills a process
// that reads beyond a mapped file's end (SIGBUS); here the pages that are gone become zeros instead, and whoever reads
// them learns afterwards that they were. Signal handlers belong to the process, so this does too. Any thread.
#pragma once

#include <cstddef>

namespace vizd {

// Keeps watch over a mapping of a file. False where too many are watched already: then it should not be read.
bool watch_mapping(void* begin, std::size_t size_bytes);
// Whether any of it was missing when it was read.
bool was_cut(const void* begin);
// Before it is unmapped.
void forget_mapping(const void* begin);

}  // namespace vizd
