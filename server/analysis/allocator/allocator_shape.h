// How an allocator's memory lies at a moment, in sums: what is free, in how many pieces, and what could be given back.
// Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "timeline/allocator_states.h"

namespace vizd {

struct AllocatorShape {
  std::uint64_t segments = 0, segments_wholly_free = 0;
  std::uint64_t free_blocks = 0, inactive_bytes = 0, largest_free_bytes = 0;
  std::uint64_t stuck_bytes = 0;       // free beside something alive, or in a pool of its own
  std::uint64_t releasable_bytes = 0;  // that empty_cache() would give back
  std::uint64_t internal_bytes = 0;    // of blocks beyond what was requested
  std::uint64_t pending_bytes = 0;     // freed by the program, and still in use on another stream
};

// Adds shapes up, segment by segment.
class ShapeSum {
 public:
  struct Segment {
    std::uint64_t address = 0, size_bytes = 0;
    bool is_expandable = false, has_large_pages = false;  // as AllocatorSegment has them
    bool may_be_released = false;                         // it is in the usual pool, or in none that is known
  };
  struct Block {
    std::uint64_t address = 0, size_bytes = 0, requested_bytes = 0;
    enum class State : std::uint8_t { kFree, kAllocated, kPending } state = State::kFree;
  };
  // blocks: all of it by address; free ones side by side are one.
  void add(const Segment& segment, std::span<const Block> blocks);
  const AllocatorShape& shape() const { return shape_; }

 private:
  AllocatorShape shape_;
};

AllocatorShape allocator_shape(const Track& track, const AllocatorStates& states, const AllocatorState& state);

}  // namespace vizd
