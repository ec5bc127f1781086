// MemoryIndex: what a view of a lane's memory need not look at one by one: of each few hundred allocations when the
// last of them ended, of each few hundred changes how far the live bytes went, and every so often how these are made
// up. Made from a LaneMemory once somebody asks for a view. Plain data, read-only by any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "timeline/lane_memory.h"

namespace vizd {

struct MemoryIndex {
  static constexpr std::size_t kBlock = PackedIntegers::kBlock;  // allocations, and changes
  static constexpr std::size_t kChangesOfSplit = 2 * kBlock;

  struct Extremes {
    std::uint64_t low = 0, high = 0;
    std::size_t high_at = 0;  // the first change after which they were highest
  };

  // By block of indexes: where the last of those allocations ends, INT64_MAX where one does not.
  std::vector<std::int64_t> last_death_ns, last_death_order;
  std::vector<Extremes> live;         // by block of changes
  std::vector<std::uint64_t> splits;  // bytes by category before every kChangesOfSplit changes

  std::span<const std::uint64_t> split(std::size_t number, std::size_t categories) const {
    return std::span(splits).subspan(number * categories, categories);
  }
  std::size_t memory_bytes() const {
    return (last_death_ns.size() + last_death_order.size() + splits.size()) * sizeof(std::uint64_t) +
           live.size() * sizeof(Extremes);
  }
};

MemoryIndex memory_index(const Track& lane, const LaneMemory& memory);

// When the allocation at that place ends, on either axis; never before it begins.
std::int64_t death_of(const Track& lane, const LaneMemory& memory, std::uint32_t place, bool by_order);

// Adds a change to the bytes of each category, which are those before it.
inline void add_change(const Track& lane, const LaneMemory& memory, MemoryChange change,
                       std::span<std::uint64_t> by_category) {
  const std::uint64_t size = lane.allocations[change.allocation].size_bytes();
  std::uint64_t& sum = by_category[memory.category[change.allocation]];
  sum = change.is_death ? sum - size : sum + size;
}

}  // namespace vizd
