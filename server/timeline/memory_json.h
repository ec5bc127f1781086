// A lane's memory as JSON (server/http/API.md): what it comes to, the exact set alive at a moment, one allocation. Any
// thread; the capture is only read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/capture.h"
#include "timeline/timeline.h"

namespace vizd {

std::string memory_summary_json(const Capture& capture, const Timeline& timeline, std::uint32_t lane);

// A set of allocations, as indices, the largest first.
struct LiveSet {
  std::int64_t at_ns = 0;  // on the capture's clock
  std::uint64_t bytes = 0;
  std::vector<std::uint32_t> indices;
};
LiveSet live_at_peak(const Track& lane, const LaneMemory& memory);
// Never freed.
LiveSet live_at_end(const Profile& profile, const Track& lane, const LaneMemory& memory);
LiveSet live_at(const Track& lane, const LaneMemory& memory, std::int64_t at_ns);

// Those of the set from offset on, at most limit.
std::string live_set_json(const Capture& capture, const Timeline& timeline, std::uint32_t lane, const LiveSet& set,
                          std::size_t offset, std::size_t limit);

std::string allocation_json(const Capture& capture, const Timeline& timeline, std::uint32_t lane, std::uint32_t index);

// The index of the allocation drawn there, the latest born of several; kNoId where there is none.
std::uint32_t allocation_at(const Track& lane, const LaneMemory& memory, std::int64_t at_ns,
                            std::uint64_t offset_bytes);

}  // namespace vizd
