#include "formats/torch_memory/answers/allocator_shape.h"

#include <algorithm>

#include "formats/torch_memory/block_size.h"

namespace vizd::torch_memory {
namespace {

// Whole pages of an expandable segment in a free block: what can be unmapped of it.
std::uint64_t whole_pages(const SegmentRange& segment, const ShownBlock& free) {
  const bool has_large_pages = segment.type == SegmentSize::kLarge ||
                               (segment.type == SegmentSize::kUnknown && segment.size_bytes % kLargePageBytes == 0);
  const std::uint64_t page = has_large_pages ? kLargePageBytes : kSmallPageBytes;
  const std::uint64_t begin = free.address - segment.address;
  const std::uint64_t first = begin / page * page + (begin % page == 0 ? 0 : page);
  const std::uint64_t last = (begin + free.size_bytes) / page * page;
  return last > first ? last - first : 0;
}

bool may_be_released(const Snapshot& snapshot, const SegmentRange& segment, const Replay& replay) {
  const std::uint32_t pool = replay.pool_of(segment);
  return pool == kNoPool || snapshot.pools[pool] == Pool{};
}

}  // namespace

void for_each_segment(const Replay::State& state,
                      const std::function<void(const SegmentRange&, const std::vector<ShownBlock>&)>& tell) {
  std::vector<ShownBlock> blocks;
  state.segments.for_each([&](const SegmentRange& segment) {
    blocks.clear();
    std::uint64_t at = segment.address;
    for (const auto* item = state.active.at_or_after(segment.address); item != nullptr && item->address < segment.end();
         item = state.active.after(item->address)) {
      const Life& life = state.replay.lives()[item->value];
      if (life.address > at) blocks.push_back({at, life.address - at});
      blocks.push_back({life.address, life.block_bytes, &life});
      at = end_address(life.address, life.block_bytes);
    }
    if (at < segment.end()) blocks.push_back({at, segment.end() - at});
    tell(segment, blocks);
  });
}

Shape shape_of(const Replay::State& state) {
  Shape shape;
  const auto add = [](std::int64_t& sum, std::uint64_t bytes) { sum += static_cast<std::int64_t>(bytes); };
  for_each_segment(state, [&](const SegmentRange& segment, const std::vector<ShownBlock>& blocks) {
    ++shape.segments;
    const bool is_wholly_free = blocks.size() == 1 && blocks[0].life == nullptr;
    shape.segments_wholly_free += is_wholly_free;
    const bool is_releasable = may_be_released(state.replay.snapshot(), segment, state.replay);
    if (is_releasable && !segment.is_expandable && is_wholly_free) add(shape.releasable_bytes, segment.size_bytes);
    for (const ShownBlock& block : blocks) {
      if (block.life == nullptr) {
        ++shape.free_blocks;
        add(shape.inactive_bytes, block.size_bytes);
        shape.largest_free_bytes = std::max(shape.largest_free_bytes, static_cast<std::int64_t>(block.size_bytes));
        if (is_releasable && segment.is_expandable) add(shape.releasable_bytes, whole_pages(segment, block));
      } else if (block.life->is_asked_at(state.moment)) {
        add(shape.pending_bytes, block.size_bytes);
      } else {
        shape.internal_bytes +=
            static_cast<std::int64_t>(block.size_bytes) - static_cast<std::int64_t>(block.life->requested_bytes);
      }
    }
  });
  return shape;
}

}  // namespace vizd::torch_memory
