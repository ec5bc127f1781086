// How a memory lay at a moment or over time, as records: of captures whose allocators told of themselves, by the states
// that are kept of each. Each hands its records to take. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "formats/torch_memory/answers/record.h"
#include "model/capture.h"

namespace vizd {

// Which moment a state is asked for: the last, the peak of allocated bytes, or after an entry.
struct StateMoment {
  enum class Kind : std::uint8_t { kEnd, kPeak, kEntry } kind = Kind::kEnd;
  std::int64_t entry = 0;

  // "end", "peak", or an entry's number; -1 is before the first. None: it is nothing of these.
  static std::optional<StateMoment> parse(std::string_view text);
};

// The counters at so many entries, evenly spread; what the state was after each.
void tell_timeline(const Capture& capture, std::size_t points, const torch_memory::TakeRecord& take);
// The counters after the last entry at or before each of these times, which are Unix times.
void tell_moments(const Capture& capture, std::span<const std::int64_t> times_ns, const torch_memory::TakeRecord& take);
// The segments and their blocks.
void tell_state(const Capture& capture, const StateMoment& moment, const torch_memory::TakeRecord& take);

}  // namespace vizd
