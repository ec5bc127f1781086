// A lane's memory as JSON (server/http/API.md): what it comes to, the exact set alive at a moment, one allocation. Any
// thread; the capture is only read.
#pragma once

#include <cstdint>
#include <string>

#include "model/capture.h"
#include "timeline/allocation_origins.h"
#include "timeline/live_set.h"
#include "timeline/timeline.h"

namespace vizd {

std::string memory_summary_json(const Capture& capture, const Timeline& timeline, std::uint32_t lane);

// A memory with what its allocations were made in.
struct TracedMemory {
  const Capture& capture;
  const Timeline& timeline;
  std::uint32_t lane = 0;
  const AllocationOrigins& origins;
};

// Writes items of a set from offset on, at most limit. at_ns: when it lives, on the capture's clock.
std::string live_set_json(const TracedMemory& memory, const LiveSet& set, std::int64_t at_ns, std::size_t offset,
                          std::size_t limit);

std::string allocation_json(const TracedMemory& memory, std::uint32_t index);

// The index of the allocation drawn there, the latest born of several; kNoId where there is none.
std::uint32_t allocation_at(const Track& lane, const LaneMemory& memory, std::int64_t at_ns,
                            std::uint64_t offset_bytes);

}  // namespace vizd
