// AllocationOrigins: what each allocation of a memory was made in: on the thread that asked for it the innermost
// operator then, its module and its Python line; where the capture does not tell the thread, the first event that used
// it, or else the innermost event that ran then. Refers to the capture. Made once for each memory that is asked about;
// reading may be done by any thread.
//
// An operator that only makes memory (aten::empty) says nothing of what the memory is for, so where another operator is
// around it, that one is the allocation's. Python lines inside of PyTorch itself are passed over likewise.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "timeline/event_json.h"
#include "timeline/timeline.h"

namespace vizd {

// How it is known.
enum class OriginKind : std::uint8_t { kNone, kThread, kUse, kTime };
inline constexpr std::string_view kOriginKindNames[] = {"none", "thread", "use", "time"};

struct AllocationOrigin {
  std::uint32_t track = kNoId;                                           // of these events
  std::uint32_t operation = kNoId, module = kNoId, python_line = kNoId;  // places of events; kNoId: none
  OriginKind kind = OriginKind::kNone;

  std::optional<EventPlace> event(std::uint32_t place) const {
    return place == kNoId ? std::nullopt : std::optional(EventPlace{track, place});
  }
};

struct AllocationOrigins {
  std::vector<AllocationOrigin> of;  // by place in Track::allocations

  std::size_t memory_bytes() const { return sizeof(*this) + of.capacity() * sizeof(AllocationOrigin); }
};

// Costs one walk over the events of the threads that asked, and a look at each of their rows for each allocation.
AllocationOrigins find_allocation_origins(const Capture& capture, const Timeline& timeline, std::uint32_t memory);

// The spans around that moment on a track, the outermost first.
std::vector<EventPlace> spans_around(const Capture& capture, const Timeline& timeline, std::uint32_t track,
                                     std::int64_t at_ns);

}  // namespace vizd
