// Profile: what the devices did: lanes of events, counters, markers, flows, allocations. Plain data, filled by a
// format; read-only once the timeline is prepared (timeline/timeline.h), by any thread. Times are int64 nanoseconds on
// the capture's own clock, and below 2^60 (36 years) either way, so that their sums and differences are times too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/column.h"
#include "base/ids.h"
#include "base/string_table.h"
#include "model/dialect.h"
#include "model/event_columns.h"

namespace vizd {

enum class LaneId : std::uint32_t {};

// One buffer's life. Sizes are count * item_size_bytes.
struct Allocation {
  std::uint64_t key = 0;    // the capture's own number of the buffer; may be used again after a free
  std::uint64_t count = 0;  // elements
  std::uint32_t item_size_bytes = 0;
  StringId dtype{};
  StringId category{};  // "weights", "activations", …; "" where the capture has none: then the dtype stands for it
  ContextId context{kNoId};
  std::uint64_t address = kNoAddress;  // in the lane's address space
  std::int64_t birth_ns = 0;
  std::int64_t death_ns = 0;      // of no meaning while freed is false
  std::uint32_t birth_order = 0;  // places of the two among the lane's allocations and frees, in time order, those
  std::uint32_t death_order = 0;  // of one microsecond as recorded; a death comes after its birth
  bool freed = false;

  static constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

  std::uint64_t size_bytes() const { return count * item_size_bytes; }
};

// That an event read or wrote an allocation of its lane's memory.
struct Use {
  std::uint32_t allocation = 0;  // place in the Lane::allocations that has these uses
  std::uint32_t lane = 0;        // the event's lane and its place there
  std::uint32_t event = 0;
};

// A quantity over time. Each value holds from its time until the next.
struct Counter {
  StringId name{};
  StringId unit{};  // "bytes", "GB/s", …
  Column<std::int64_t> at_ns;
  Column<double> value;
};

// Where a lane belongs; "" where that says nothing.
struct LaneGroup {
  StringId rank{}, process{}, device{}, stream{};
};

// A device, a stream, an engine, a thread: its events, the counters beside them, and the memory it owns.
struct Lane {
  StringId name{};
  LaneGroup group;
  double cycles_per_second = 0;  // of the clock that timed it, where that is known
  EventColumns events;
  std::vector<Counter> counters;
  std::vector<Allocation> allocations;
  Column<Use> uses;
};

struct Marker {
  std::int64_t at_ns = 0;
  StringId name{};
  StringId colour{};  // as the capture has it: a CSS colour
};

// That one event led to another: a launch to its kernel. Places in Lane::events.
struct Flow {
  std::uint32_t from_lane = 0, from_event = 0;
  std::uint32_t to_lane = 0, to_event = 0;
};

struct Profile {
  std::vector<Lane> lanes;  // in order of first appearance
  std::vector<Marker> markers;
  Column<Flow> flows;
  Column<char> args;          // JSON objects, each ended by a zero byte; Event::args counts into it
  std::int64_t start_ns = 0;  // of the earliest thing of any kind, and the end of the latest
  std::int64_t end_ns = 0;
};

}  // namespace vizd
