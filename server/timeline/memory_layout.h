// A lane's memory over time: where each allocation is drawn, how many bytes live when, and what lives at the peak.
// An allocation is one rectangle, birth to death by offset to offset + size. Where the capture has addresses, offsets
// are those, without the large ranges that nothing ever used. Where it has none, the offset is what an online best-fit
// allocator would give; the live bytes come from sums, never from the packing, so that what the packing wastes is not
// taken for usage.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/profile.h"

namespace vizd {

struct LivePoint {
  std::int64_t at_ns = 0;
  std::uint64_t bytes = 0;  // live from then on
};

// An allocation or a free.
struct MemoryChange {
  std::uint32_t allocation = 0;
  bool is_death = false;
};

struct MemoryLayout {
  static constexpr std::uint32_t kNever = 0xFFFFFFFFu;

  bool addressed = false;                   // offsets come from addresses
  std::vector<MemoryChange> changes;        // in order
  std::vector<std::uint32_t> birth, death;  // by allocation: which change; kNever where it is not freed
  std::vector<std::uint64_t> offset_bytes;  // by allocation; rectangles of the same moment never overlap
  std::uint64_t height_bytes = 0;           // top of the highest rectangle
  std::vector<LivePoint> live;              // one after every allocation and every free, in order
  std::uint64_t peak_bytes = 0;
  std::int64_t peak_ns = 0;            // when the peak is first reached
  std::vector<std::uint32_t> at_peak;  // the allocations alive then
  std::uint64_t end_bytes = 0;         // never freed
};

// Costs n log n. Allocations and frees take effect in their birth_order and death_order. Byte counts stop at 2^63.
MemoryLayout memory_layout(std::span<const Allocation> allocations);

}  // namespace vizd
