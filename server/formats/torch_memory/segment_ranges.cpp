#include "formats/torch_memory/segment_ranges.h"

#include <algorithm>

namespace vizd::torch_memory {

const SegmentRange* SegmentRanges::find(std::uint64_t address) const {
  const auto* const item = ranges_.at_or_before(address);
  return item != nullptr && address < item->value.end() ? &item->value : nullptr;
}

bool SegmentRanges::add(SegmentRange range) {
  if (find(range.address) != nullptr || find(range.end() - 1) != nullptr) return false;
  if (range.is_expandable) {
    const auto take = [&](const SegmentRange* found) {
      if (found == nullptr || !found->is_expandable || found->stream != range.stream) return;
      if (found->pool != range.pool && found->pool != kNoPool && range.pool != kNoPool) return;
      const SegmentRange other = *found;
      ranges_.erase(other.address);
      range.address = std::min(range.address, other.address);
      range.size_bytes += other.size_bytes;
      if (range.pool == kNoPool) range.pool = other.pool;
      if (range.type == SegmentSize::kUnknown) range.type = other.type;
    };
    const std::uint64_t behind = range.end();
    take(find(range.address - 1));
    take(find(behind));
  }
  put(range);
  return true;
}

std::optional<SegmentRange> SegmentRanges::remove(const SegmentRange& range) {
  const SegmentRange* const found = find(range.address);
  if (found == nullptr || found->is_expandable != range.is_expandable) return std::nullopt;
  if (range.size_bytes > found->end() - range.address) return std::nullopt;
  const bool is_whole = found->address == range.address && found->size_bytes == range.size_bytes;
  if (!range.is_expandable && !is_whole) return std::nullopt;
  const SegmentRange whole = *found;
  ranges_.erase(whole.address);
  const auto keep = [&](std::uint64_t begin, std::uint64_t end) {
    if (end <= begin) return;
    SegmentRange rest = whole;
    rest.address = begin;
    rest.size_bytes = end - begin;
    rest.is_expandable = true;
    put(rest);
  };
  keep(whole.address, range.address);
  keep(range.end(), whole.end());
  return whole;
}

}  // namespace vizd::torch_memory
