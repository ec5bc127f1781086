#include "analysis/allocator/allocator_shape.h"

#include <algorithm>
#include <vector>

namespace vizd {
namespace {

// Whole pages of an expandable segment in a free block: what can be unmapped of it.
std::uint64_t pages_in(const ShapeSum::Segment& segment, const ShapeSum::Block& free) {
  constexpr std::uint64_t kSmallPage_bytes = 2 << 20, kLargePage_bytes = 20 << 20;
  const std::uint64_t page = segment.has_large_pages ? kLargePage_bytes : kSmallPage_bytes;
  const std::uint64_t begin = free.address - segment.address;
  const std::uint64_t first = begin / page * page + (begin % page == 0 ? 0 : page);
  const std::uint64_t last = (begin + free.size_bytes) / page * page;
  return last > first ? last - first : 0;
}

}  // namespace

void ShapeSum::add(const Segment& segment, std::span<const Block> blocks) {
  ++shape_.segments;
  const bool is_wholly_free = blocks.size() == 1 && blocks[0].state == Block::State::kFree;
  shape_.segments_wholly_free += is_wholly_free;
  for (const Block& block : blocks) {
    if (block.state == Block::State::kPending) {
      shape_.pending_bytes += block.size_bytes;
    } else if (block.state == Block::State::kAllocated) {
      shape_.internal_bytes += block.size_bytes - std::min(block.size_bytes, block.requested_bytes);
    } else {
      ++shape_.free_blocks;
      shape_.inactive_bytes += block.size_bytes;
      shape_.largest_free_bytes = std::max(shape_.largest_free_bytes, block.size_bytes);
      const std::uint64_t released = !segment.may_be_released ? 0
                                     : segment.is_expandable  ? pages_in(segment, block)
                                     : is_wholly_free         ? segment.size_bytes
                                                              : 0;
      shape_.releasable_bytes += released;
      shape_.stuck_bytes += block.size_bytes - std::min(released, block.size_bytes);
    }
  }
}

AllocatorShape allocator_shape(const Track& track, const AllocatorStates& states, const AllocatorState& state) {
  const AllocatorLog& log = *track.allocator;
  ShapeSum sum;
  std::vector<ShapeSum::Block> shown;
  states.for_each_segment(state, [&](const AllocatorSegment& segment, const std::vector<AllocatorBlock>& blocks) {
    shown.clear();
    for (const AllocatorBlock& block : blocks) {
      using State = ShapeSum::Block::State;
      const bool is_free = block.life == kNoId;
      shown.push_back({.address = block.address,
                       .size_bytes = block.size_bytes,
                       .requested_bytes = is_free ? 0 : log.lives.requested_bytes[block.life],
                       .state = is_free                                            ? State::kFree
                                : log.lives.is_allocated(block.life, state.moment) ? State::kAllocated
                                                                                   : State::kPending});
    }
    const AllocatorPool& pool = log.pools[segment.pool];
    sum.add({.address = segment.address,
             .size_bytes = segment.size_bytes,
             .is_expandable = segment.is_expandable,
             .has_large_pages = segment.has_large_pages,
             .may_be_released = !pool.is_known || (pool.first == 0 && pool.second == 0)},
            shown);
  });
  return sum.shape();
}

}  // namespace vizd
