// Profile: what the devices did: lanes of events, counters, markers, allocations. Plain data, filled by a format and
// read-only from then on, by any thread. Times are int64 nanoseconds on the capture's own clock, and below 2^60 (36
// years) either way, so that their sums and differences are times too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/string_table.h"
#include "model/dialect.h"

namespace vizd {

enum class LaneId : std::uint32_t {};

struct Event {
  std::int64_t start_ns = 0;
  std::int64_t dur_ns = 0;
  StringId name{};           // as shown: a linked context's name, with its colours
  ContextId context{kNoId};  // what it leads to
  StringId info{};           // further lines of its tooltip ("12.3 GFLOPS …")
  std::uint32_t order = 0;   // its place among the lane's events as the capture recorded them
  std::uint32_t dur_ps = 0;  // what the duration is beyond dur_ns, where the capture knows: 0 to 999

  // The whole duration, as the double nearest to it.
  double dur_us() const {
    if (dur_ps == 0) return static_cast<double>(dur_ns) / 1000;
    return (static_cast<double>(dur_ns) * 1000 + dur_ps) / 1'000'000;
  }
};

// One buffer's life. Sizes are count * item_size_bytes.
struct Allocation {
  std::uint64_t key = 0;    // the capture's own number of the buffer; may be used again after a free
  std::uint64_t count = 0;  // elements
  std::uint32_t item_size_bytes = 0;
  StringId dtype{};
  std::int64_t birth_ns = 0;
  std::int64_t death_ns = 0;      // of no meaning while freed is false
  std::uint32_t birth_order = 0;  // places of the two among the lane's allocations and frees, in time order, those
  std::uint32_t death_order = 0;  // of one microsecond as recorded; a death comes after its birth
  bool freed = false;

  std::uint64_t size_bytes() const { return count * item_size_bytes; }
};

// A device, a stream, an engine, a thread: its events by start time (stable), and the memory it owns.
struct Lane {
  StringId name{};
  std::vector<Event> events;
  std::vector<Allocation> allocations;
};

struct Marker {
  std::int64_t at_ns = 0;
  StringId name{};
  StringId colour{};  // as the capture has it: a CSS colour
};

struct Profile {
  std::vector<Lane> lanes;  // in order of first appearance
  std::vector<Marker> markers;
  std::int64_t start_ns = 0;  // of the earliest thing of any kind, and the end of the latest
  std::int64_t end_ns = 0;
};

}  // namespace vizd
