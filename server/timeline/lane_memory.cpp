#include "timeline/lane_memory.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace vizd {
namespace {

void set_categories(const Track& lane, LaneMemory& memory) {
  std::unordered_map<StringId, double> bytes;
  for (const Allocation& a : lane.allocations) bytes[category_of(a)] += static_cast<double>(a.size_bytes());
  for (const auto& [name, sum] : bytes) memory.categories.push_back(name);
  std::ranges::sort(memory.categories, [&](StringId a, StringId b) {
    return std::pair(-bytes[a], index(a)) < std::pair(-bytes[b], index(b));
  });
  if (memory.categories.size() > LaneMemory::kMostCategories) {
    memory.categories.resize(LaneMemory::kMostCategories);
    memory.categories.back() = StringId{kNoId};
  }
  std::unordered_map<StringId, std::uint8_t> number;
  for (std::size_t i = 0; i < memory.categories.size(); ++i)
    number[memory.categories[i]] = static_cast<std::uint8_t>(i);
  memory.category.reserve(lane.allocations.size());
  for (const Allocation& a : lane.allocations) {
    const auto found = number.find(category_of(a));
    memory.category.push_back(found != number.end() ? found->second
                                                    : static_cast<std::uint8_t>(memory.categories.size() - 1));
  }
}

PackedIntegers packed_values(const LargeVector<std::uint32_t>& values) {
  PackedIntegers column;
  for (const std::uint32_t value : values) column.push_back(value);
  column.shrink();
  return column;
}

}  // namespace

LaneMemory lane_memory(const Track& lane) {
  LaneMemory memory;
  memory.layout = memory_layout(lane.allocations);
  const auto is_born_before = [&](std::uint32_t a, std::uint32_t b) {
    const Allocation &one = lane.allocations[a], &other = lane.allocations[b];
    return std::pair(one.birth_ns, one.birth_order) < std::pair(other.birth_ns, other.birth_order);
  };
  LargeVector<std::uint32_t> by_birth(lane.allocations.size());
  std::iota(by_birth.begin(), by_birth.end(), 0u);
  if (!std::ranges::is_sorted(by_birth, is_born_before)) std::ranges::sort(by_birth, is_born_before);
  LargeVector<std::uint32_t> index_of(by_birth.size());
  for (std::uint32_t i = 0; i < by_birth.size(); ++i) index_of[by_birth[i]] = i;
  memory.by_birth = packed_values(by_birth);
  memory.index_of = packed_values(index_of);
  set_categories(lane, memory);
  return memory;
}

}  // namespace vizd
