// A lane's memory over time: where each allocation is drawn, how many bytes live when, and what lives at the peak.
// An allocation is one rectangle, birth to death by offset to offset + size. Where the capture has addresses, offsets
// are those, without the large ranges that nothing ever used. Where it has none, the offset is what an online best-fit
// allocator would give; the live bytes come from sums, never from the packing, so that what the packing wastes is not
// taken for usage.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/packed_column.h"
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

  bool addressed = false;          // offsets come from addresses
  PackedIntegers changes;          // in order: twice the allocation's place, and 1 for a free
  PackedIntegers birth, death;     // by allocation: which change; kNever where it is not freed
  PackedIntegers offset_bytes;     // by allocation; rectangles of the same moment never overlap
  PackedIntegers at_ns;            // by change: when it is
  PackedIntegers live_bytes;       // by change: what lives from then on
  std::uint64_t height_bytes = 0;  // top of the highest rectangle
  std::uint64_t peak_bytes = 0;
  std::int64_t peak_ns = 0;            // when the peak is first reached
  std::vector<std::uint32_t> at_peak;  // the allocations alive then
  std::uint64_t end_bytes = 0;         // never freed

  MemoryChange change(std::size_t i) const {
    const std::int64_t change = changes[i];
    return {static_cast<std::uint32_t>(change / 2), change % 2 != 0};
  }
  LivePoint live(std::size_t i) const { return {at_ns[i], static_cast<std::uint64_t>(live_bytes[i])}; }
  std::uint64_t offset(std::uint32_t allocation) const { return static_cast<std::uint64_t>(offset_bytes[allocation]); }

  // Calls visit(column) for each packed column, always in the same order: to store them, and to put stored ones in.
  template <typename Visit>
  void for_each_column(Visit&& visit) {
    visit(changes), visit(birth), visit(death), visit(offset_bytes), visit(at_ns), visit(live_bytes);
  }
  template <typename Visit>
  void for_each_column(Visit&& visit) const {
    visit(changes), visit(birth), visit(death), visit(offset_bytes), visit(at_ns), visit(live_bytes);
  }
};

// Costs n log n. Allocations and frees take effect in their birth_order and death_order. Byte counts stop at 2^63.
MemoryLayout memory_layout(std::span<const Allocation> allocations);

}  // namespace vizd
