// The answers about a memory snapshot, record by record; reference: the program that users knew its figures by is
// PyTorch's _memory_viz.py. Each hands its records to take, in no order that means anything. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/torch_memory/answers/memory_file.h"

namespace vizd::torch_memory {

// The file, its devices, actions, pools, fragmentation, out-of-memory errors and annotations.
void tell_summary(MemoryFile& file, const TakeRecord& take);

// The counters at so many entries, evenly spread; what the state was after each.
void tell_timeline(MemoryFile& file, std::size_t points, const TakeRecord& take);
// The counters after the last entry at or before each of these times.
void tell_moments(MemoryFile& file, std::span<const std::int64_t> times_ns, const TakeRecord& take);
// Every allocation's life.
void tell_allocations(const MemoryFile& file, const TakeRecord& take);

// Which moment a state is asked for: the last, the peak of allocated bytes, or after an entry.
struct Moment {
  enum class Kind : std::uint8_t { kEnd, kPeak, kEntry } kind = Kind::kEnd;
  std::int64_t entry = 0;

  std::int64_t of(const Replay& replay) const;
};
// The segments and their blocks.
void tell_state(MemoryFile& file, const Moment& moment, const TakeRecord& take);

}  // namespace vizd::torch_memory
