// LiveSet: the allocations of a memory that are alive at a moment. A moment is a number of changes (allocations and
// frees) that are done, since several may share a time. Any thread; the profile is only read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "timeline/lane_memory.h"

namespace vizd {

// Times on the capture's clock. What changes at that time is done.
std::size_t moment_at(const LaneMemory& memory, std::int64_t at_ns);
// When most bytes are alive first, of all time or from one time to another.
std::size_t peak_moment(const LaneMemory& memory);
std::size_t peak_moment(const LaneMemory& memory, std::int64_t from_ns, std::int64_t to_ns);
inline std::size_t last_moment(const LaneMemory& memory) { return memory.layout.changes.size(); }
inline std::uint64_t live_bytes(const LaneMemory& memory, std::size_t moment) {
  return moment == 0 ? 0 : memory.layout.live(moment - 1).bytes;
}

// place: in Track::allocations.
inline bool is_alive(const LaneMemory& memory, std::uint32_t place, std::size_t moment) {
  const auto changes = static_cast<std::int64_t>(moment);
  return memory.layout.birth[place] < changes && memory.layout.death[place] >= changes;
}

struct LiveSet {
  std::uint64_t bytes = 0;
  std::vector<std::uint32_t> indices;  // in order of birth, as answers number them; the largest first
};

// Considers only the wanted places; of the indices only the first `sorted` are in order.
LiveSet live_set(const Track& lane, const LaneMemory& memory, std::size_t moment, std::size_t sorted = SIZE_MAX,
                 const std::function<bool(std::uint32_t place)>& is_wanted = {});

// What the allocator says that it holds beside what is listed: allocations from before the capture began that it does
// not tell one by one. None where it says nothing.
std::optional<std::uint64_t> unlisted_bytes(const Track& lane, const LaneMemory& memory, const StringTable& strings);

}  // namespace vizd
