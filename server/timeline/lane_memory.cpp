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
  for (const Allocation& a : lane.allocations) {
    const auto found = number.find(category_of(a));
    memory.category.push_back(found != number.end() ? found->second
                                                    : static_cast<std::uint8_t>(memory.categories.size() - 1));
  }
}

}  // namespace

LaneMemory lane_memory(const Track& lane) {
  LaneMemory memory;
  memory.layout = memory_layout(lane.allocations);
  memory.by_birth.resize(lane.allocations.size());
  std::iota(memory.by_birth.begin(), memory.by_birth.end(), 0u);
  std::ranges::sort(memory.by_birth, {}, [&](std::uint32_t i) {
    return std::pair(lane.allocations[i].birth_ns, lane.allocations[i].birth_order);
  });
  memory.index_of.resize(memory.by_birth.size());
  for (std::uint32_t i = 0; i < memory.by_birth.size(); ++i) memory.index_of[memory.by_birth[i]] = i;
  set_categories(lane, memory);
  return memory;
}

}  // namespace vizd
