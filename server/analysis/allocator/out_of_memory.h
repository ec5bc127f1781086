// Why an allocator ran out of memory: what it was asked for, how its memory lay then, and what lay in the way. Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/allocator/allocator_shape.h"
#include "timeline/allocator_states.h"

namespace vizd {

enum class OomReason : std::uint8_t {
  kTooMuch,
  kFragmented,  // enough was free in segments, but not in one piece
  kOtherPool,   // a piece was large enough, but of another pool or stream
  kLimit,       // the device had room by far: a limit of the process's own was met
};

struct OutOfMemory {
  AllocatorMoment moment = 0;  // its entry is done
  std::uint64_t asked_bytes = 0;
  std::optional<std::uint64_t> device_free_bytes;  // none: not told
  AllocatorBytes bytes;
  AllocatorShape shape;
  OomReason reason = OomReason::kTooMuch;
  bool is_limited = false;  // the device had room by far, whatever else was the reason
};

// The moments at which it ran out, ascending.
std::vector<AllocatorMoment> moments_out_of_memory(const AllocatorLog& log);
// moment: one of these.
OutOfMemory out_of_memory(const Track& track, const AllocatorStates& states, AllocatorMoment moment);
// device_free_bytes: as the driver told it then; Allocation::kNoAddress: it did not.
OomReason oom_reason(std::uint64_t asked_bytes, std::uint64_t inactive_bytes, std::uint64_t largest_free_bytes,
                     std::uint64_t device_free_bytes);
// As it ends a sentence.
std::string_view oom_reason_text(OomReason reason);

// A stretch of a segment that would have been enough, had some allocations not lain in it.
struct Obstacles {
  std::uint64_t address = 0, size_bytes = 0;
  std::uint64_t alive_bytes = 0;
  std::vector<std::uint32_t> lives;  // by address
};
// Among all such stretches, the one with the fewest live bytes; none if no segment is as large.
std::optional<Obstacles> find_obstacles(const AllocatorStates& states, const AllocatorState& state,
                                        std::uint64_t asked_bytes);

}  // namespace vizd
