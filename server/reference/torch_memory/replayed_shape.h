// How the memory of a device lies at a moment: its segments, the blocks in them in the order of addresses, the free
// ones between them as one each, and sums of these. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/allocator/allocator_shape.h"
#include "formats/torch_memory/replay.h"

namespace vizd::torch_memory {

struct ShownBlock {
  std::uint64_t address = 0, size_bytes = 0;
  const Life* life = nullptr;  // null: free
};

// Calls tell for each segment with its blocks, which are valid during the call.
void for_each_segment(const Replay::State& state,
                      const std::function<void(const SegmentRange&, const std::vector<ShownBlock>&)>& tell);

AllocatorShape shape_of(const Replay::State& state);

}  // namespace vizd::torch_memory
