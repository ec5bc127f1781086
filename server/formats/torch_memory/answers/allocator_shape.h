// How the memory of a device lies at a moment: its segments, the blocks in them in the order of addresses, the free
// ones between them as one each, and sums of these. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "formats/torch_memory/replay.h"

namespace vizd::torch_memory {

struct ShownBlock {
  std::uint64_t address = 0, size_bytes = 0;
  const Life* life = nullptr;  // null: free
};

// Calls tell for each segment with its blocks, which are valid during the call.
void for_each_segment(const Replay::State& state,
                      const std::function<void(const SegmentRange&, const std::vector<ShownBlock>&)>& tell);

struct Shape {
  std::int64_t segments = 0, segments_wholly_free = 0;
  std::int64_t free_blocks = 0, inactive_bytes = 0, largest_free_bytes = 0;
  std::int64_t releasable_bytes = 0;  // that empty_cache() would give back
  std::int64_t internal_bytes = 0;    // of blocks beyond what was requested
  std::int64_t pending_bytes = 0;     // freed by the program, and still in use on another stream
};

Shape shape_of(const Replay::State& state);

}  // namespace vizd::torch_memory
