// A view of a lane's memory, the bytes of GET /api/v1/memory/KEY/LANE (server/http/API.md has the layout): allocations
// of at least a pixel as rectangles, all smaller ones as a coverage of coarse cells, and the bytes live in each column.
// So a million allocations take no more on the wire than a thousand. Any thread; the profile is only read.
#pragma once

#include <cstdint>
#include <string>

#include "timeline/lane_memory.h"
#include "timeline/memory_index.h"

namespace vizd {

struct MemoryQuery {
  static constexpr std::int64_t kMostPixels = 4096;

  std::int64_t from = 0, to = 1;  // times on the capture's clock, or numbers of changes
  bool by_order = false;          // the latter
  std::uint64_t low_bytes = 0, high_bytes = 1;
  std::uint64_t width = 1, height = 1;  // pixels, up to kMostPixels
};

// from < to, low_bytes < high_bytes.
std::string memory_view(const Track& lane, const LaneMemory& memory, const MemoryIndex& index,
                        const MemoryQuery& query);

// The same of all there is, with a column a nanosecond (or a change) and a line a byte: every allocation is a rectangle
// of its own, as it is. For small memories.
std::string whole_memory(const Profile& profile, const Track& lane, const LaneMemory& memory, bool by_order);

}  // namespace vizd
