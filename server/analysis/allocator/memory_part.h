// MemoryPart: of which memory of a capture, and of which time of it, something is said: all of it, or a range that the
// program named, such as a step. Two of them are what a comparison of memories is about. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/allocator/allocator_curve.h"
#include "base/result.h"
#include "model/capture.h"

namespace vizd {

struct MemoryChoice {
  std::optional<std::int64_t> device;  // none: each, or the only one
  std::string range;                   // a range's name; "": all the time

  bool is_all() const { return !device && range.empty(); }
  bool operator==(const MemoryChoice&) const = default;
};

struct MemoryPart {
  AllocatorMoment peak = 0, end = 0;    // where most is allocated, and the last
  std::int64_t peak_bytes = 0;          // allocated then
  std::int64_t from_ns = 0, to_ns = 0;  // on the capture's clock
};
// Errors: no range of that name ended. Of several the first counts.
Result<MemoryPart> memory_part(const Capture& capture, const Track& track, const AllocatorCurve& curve,
                               const std::string& range);

// What of one capture is compared where nobody says: an early step with the last one, so that what grew is seen, or the
// first device with the second. None: it has neither steps nor devices.
std::optional<std::pair<MemoryChoice, MemoryChoice>> parts_to_compare(const Capture& capture);

}  // namespace vizd
