// The memory that a track owns: one record a buffer's life, and which events used it. Plain data.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "base/string_table.h"
#include "model/dialect.h"

namespace vizd {

// The counter of a track with memory that says how much of it is allocated in all, be it listed or not, in bytes.
inline constexpr std::string_view kAllocatedCounter = "allocated";

// One buffer's life. Sizes are count * item_size_bytes.
struct Allocation {
  std::uint64_t key = 0;    // the capture's own number of the buffer; may be used again after a free
  std::uint64_t count = 0;  // elements
  std::uint32_t item_size_bytes = 0;
  StringId dtype{};
  StringId category{};  // "weights", "activations", …; "" where the capture has none: then the dtype stands for it
  ContextId context{kNoId};
  std::uint64_t address = kNoAddress;  // in the track's address space
  std::int64_t birth_ns = 0;
  std::int64_t death_ns = 0;      // of no meaning while freed is false
  std::uint32_t birth_order = 0;  // places of the two among the track's allocations and frees, in time order, those
  std::uint32_t death_order = 0;  // of one microsecond as recorded; a death comes after its birth
  bool freed = false;
  bool is_earlier = false;         // made before the capture began: the birth says no more than that
  std::uint32_t asked_by = kNoId;  // the track of the thread that asked for it; kNoId where the capture does not tell

  static constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

  std::uint64_t size_bytes() const { return count * item_size_bytes; }
};

// An event read or wrote an allocation of a track's memory.
struct Use {
  std::uint32_t allocation = 0;  // place in the Track::allocations that has these uses
  std::uint32_t track = 0;       // the event's track and its place there
  std::uint32_t event = 0;
};

// Work that the host asked a device for, as the capture numbers it.
struct Launch {
  std::uint64_t number = 0;
  StringId name{};
  std::int64_t at_ns = 0;
};

// A launch was given an allocation: as which of its arguments, and what for.
struct LaunchUse {
  std::uint32_t allocation = 0;  // places in the track's allocations and launches
  std::uint32_t launch = 0;
  std::uint32_t argument = 0;
  bool reads = false;
  bool writes = false;
};

}  // namespace vizd
