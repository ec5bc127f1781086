// AllocatorEvents: what an allocator's events in an XPlane file tell, and the track that is made of it: bytes over
// time, and the life of each allocation. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/capture.h"

namespace vizd::xplane {

struct AllocatorEvent {
  std::int64_t at_ns = 0;
  std::int64_t allocated_bytes = 0, reserved_bytes = 0;  // in all, from then on
  bool is_allocation = false;
  std::optional<std::uint64_t> address;
  std::int64_t size_bytes = 0;  // of the allocation; 0 where a deallocation does not tell
  StringId op{};                // that asked for it
};
using AllocatorEvents = std::vector<AllocatorEvent>;

// Adds the track below the parent. An allocation lasts until that address is given back or given out again; what was
// made before the profile began is only in the counters.
void add_allocator_track(AllocatorEvents events, const std::string& name, std::uint32_t parent, Capture& capture);

}  // namespace vizd::xplane
