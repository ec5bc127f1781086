#include "timeline/memory_index.h"

#include <algorithm>
#include <limits>

#include "base/parallel.h"

namespace vizd {
namespace {

void find_last_deaths(const Track& lane, const LaneMemory& memory, bool by_order, std::vector<std::int64_t>& last) {
  std::uint32_t index = 0;
  memory.by_birth.for_each([&](std::int64_t place) {
    const std::int64_t death = death_of(lane, memory, static_cast<std::uint32_t>(place), by_order);
    if (index++ % MemoryIndex::kBlock == 0) last.push_back(death);
    last.back() = std::max(last.back(), death);
  });
}

void find_extremes(const LaneMemory& memory, std::vector<MemoryIndex::Extremes>& live) {
  std::size_t change = 0;
  memory.layout.live_bytes.for_each([&](std::int64_t value) {
    const auto bytes = static_cast<std::uint64_t>(value);
    if (change % MemoryIndex::kBlock == 0) live.push_back({bytes, bytes, change});
    MemoryIndex::Extremes& block = live.back();
    block.low = std::min(block.low, bytes);
    if (bytes > block.high) block.high = bytes, block.high_at = change;
    ++change;
  });
}

void split(const Track& lane, const LaneMemory& memory, std::vector<std::uint64_t>& splits) {
  std::vector<std::uint64_t> bytes(memory.categories.size());
  for (std::size_t i = 0; i < memory.layout.changes.size(); ++i) {
    if (i % MemoryIndex::kChangesOfSplit == 0) splits.insert(splits.end(), bytes.begin(), bytes.end());
    add_change(lane, memory, memory.layout.change(i), bytes);
  }
}

}  // namespace

std::int64_t death_of(const Track& lane, const LaneMemory& memory, std::uint32_t place, bool by_order) {
  const Allocation& a = lane.allocations[place];
  if (!a.freed) return std::numeric_limits<std::int64_t>::max();
  return by_order ? std::max(memory.layout.death[place], memory.layout.birth[place]) : std::max(a.death_ns, a.birth_ns);
}

MemoryIndex memory_index(const Track& lane, const LaneMemory& memory) {
  MemoryIndex index;
  for_each_index(4, core_count(), [&](std::size_t i) {
    if (i == 0) split(lane, memory, index.splits);
    if (i == 1) find_last_deaths(lane, memory, false, index.last_death_ns);
    if (i == 2) find_last_deaths(lane, memory, true, index.last_death_order);
    if (i == 3) find_extremes(memory, index.live);
  });
  return index;
}

}  // namespace vizd
