#include "reference/torch_memory/replayed_shape.h"

namespace vizd::torch_memory {
namespace {

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

AllocatorShape shape_of(const Replay::State& state) {
  ShapeSum sum;
  std::vector<ShapeSum::Block> shown;
  for_each_segment(state, [&](const SegmentRange& segment, const std::vector<ShownBlock>& blocks) {
    shown.clear();
    for (const ShownBlock& block : blocks) {
      using State = ShapeSum::Block::State;
      shown.push_back({.address = block.address,
                       .size_bytes = block.size_bytes,
                       .requested_bytes = block.life == nullptr ? 0 : block.life->requested_bytes,
                       .state = block.life == nullptr                   ? State::kFree
                                : block.life->is_asked_at(state.moment) ? State::kPending
                                                                        : State::kAllocated});
    }
    sum.add({.address = segment.address,
             .size_bytes = segment.size_bytes,
             .is_expandable = segment.is_expandable,
             .has_large_pages = segment.has_large_pages(),
             .may_be_released = may_be_released(state.replay.snapshot(), segment, state.replay)},
            shown);
  });
  return sum.shape();
}

}  // namespace vizd::torch_memory
