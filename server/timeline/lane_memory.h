// LaneMemory: a lane's allocations ready to be looked at: where each is drawn, in order of birth, in categories. Made
// once, when the timeline is prepared.
#pragma once

#include <cstdint>
#include <vector>

#include "model/profile.h"
#include "timeline/memory_layout.h"

namespace vizd {

struct LaneMemory {
  static constexpr std::size_t kMostCategories = 20;

  MemoryLayout layout;
  PackedIntegers by_birth;           // places in Track::allocations; an allocation's index in answers is its place here
  PackedIntegers index_of;           // by place in Track::allocations
  std::vector<StringId> categories;  // the largest by bytes allocated; more than kMostCategories end in one of kNoId
  std::vector<std::uint8_t> category;  // by place in Track::allocations

  std::uint32_t place(std::uint32_t index) const { return static_cast<std::uint32_t>(by_birth[index]); }
  std::uint32_t index(std::uint32_t place) const { return static_cast<std::uint32_t>(index_of[place]); }
};

LaneMemory lane_memory(const Track& lane);

// The name by which an allocation's category is known.
inline StringId category_of(const Allocation& a) { return a.category == StringId{} ? a.dtype : a.category; }

}  // namespace vizd
