// SegmentRanges: the memory that the allocator holds of a device, as ranges of addresses that do not lie over each
// other. Expandable ones of one stream that touch are one range, as snapshots tell of them. One thread.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/torch_memory/address_map.h"
#include "formats/torch_memory/block_size.h"
#include "formats/torch_memory/snapshot.h"

namespace vizd::torch_memory {

// The first address behind so many bytes; the last that there is where they reach that far.
constexpr std::uint64_t end_address(std::uint64_t address, std::uint64_t bytes) {
  return bytes <= ~address ? address + bytes : ~std::uint64_t{0};
}

struct SegmentRange {
  std::uint64_t address = 0, size_bytes = 0;
  std::uint32_t stream = 0;
  std::uint32_t pool = kNoPool;
  SegmentSize type = SegmentSize::kUnknown;
  bool is_expandable = false;

  bool operator==(const SegmentRange&) const = default;
  std::uint64_t end() const { return end_address(address, size_bytes); }
  // Whether an expandable segment is given back in pages of 20 MiB; otherwise in pages of 2 MiB.
  bool has_large_pages() const {
    return type == SegmentSize::kLarge || (type == SegmentSize::kUnknown && size_bytes % kLargePageBytes == 0);
  }
};

class SegmentRanges {
 public:
  // As it is, whatever is there.
  void put(const SegmentRange& range) { ranges_.put(range.address, range); }
  // Merged with those that it touches, where it is expandable; false where it lies over another.
  bool add(SegmentRange range);
  // The whole range, or any part of an expandable one. Returns the range that had it; none where there is no such.
  std::optional<SegmentRange> remove(const SegmentRange& range);
  // The one that has the address, or null.
  const SegmentRange* find(std::uint64_t address) const;
  // Calls f(range) for those that have one of the range's addresses, or touch it.
  template <typename F>
  void for_each_beside(const SegmentRange& range, F&& f) const {
    const auto* item = ranges_.at_or_before(range.address == 0 ? 0 : range.address - 1);
    if (item == nullptr) item = ranges_.at_or_after(range.address);
    for (; item != nullptr && item->address <= range.end(); item = ranges_.after(item->address)) {
      if (item->value.end() >= range.address) f(item->value);
    }
  }

  std::size_t size() const { return ranges_.size(); }
  template <typename F>
  void for_each(F&& f) const {
    ranges_.for_each([&](std::uint64_t, const SegmentRange& range) { f(range); });
  }

 private:
  AddressMap<SegmentRange> ranges_;
};

}  // namespace vizd::torch_memory
