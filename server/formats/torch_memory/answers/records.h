// The answers about a memory snapshot, record by record; reference: the program that users knew its figures by is
// PyTorch's _memory_viz.py. Each hands its records to take, in no order that means anything. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/torch_memory/answers/memory_file.h"
#include "model/capture.h"

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

// By what allocations are grouped: "frame", "file", …
std::span<const std::string_view> owner_kinds();
// Who holds what is allocated at a moment.
void tell_owners(const MemoryFile& file, const Moment& moment, std::span<const std::string> kinds,
                 const TakeRecord& take);
// Allocations that a step made and the step after it left, by the user's frame. Steps end where annotations whose
// names begin so end.
void tell_leaks(const MemoryFile& file, std::string_view name_begins, const TakeRecord& take);

// What is allocated at the end and at the peak of each, by the user's frame, and what became of it.
void tell_comparison(const MemoryFile& before, const MemoryFile& after, const TakeRecord& take);

// Of each allocation that the entries make: the operator of a trace of the same run that asked for it.
void tell_links(const MemoryFile& file, const Capture& trace, const TakeRecord& take);

// Sums over allocations that have one owner; the owner as JSON.
struct OwnerSum {
  std::int64_t count = 0;
  std::uint64_t requested_bytes = 0, block_bytes = 0;
};

}  // namespace vizd::torch_memory
