// LaneSums: what the commands of one engine come to: cycles worked, waited and stalled, bytes by the memory that they
// went to or came from. Any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "formats/bigtpu/engine_lanes.h"
#include "formats/bigtpu/stretches.h"

namespace vizd::bigtpu {

enum class Memory : std::uint8_t { kNone, kDdr, kL2 };

// The memory of a direction such as "DDR->LMEM": transfers between both count as DDR's, as in bigTpuProfile.
Memory memory_of(std::string_view direction);

struct Moved {
  std::int64_t bytes = 0, cycles = 0;
};

struct LaneSums {
  std::int64_t cycles = 0, wait_cycles = 0, stall_cycles = 0, commands = 0;
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = std::numeric_limits<std::int64_t>::min();
  Moved ddr, l2;
  Stretches busy;
};

LaneSums sums_of(const LaneCommands& commands);
// Adds what can be added up: not when the commands ran.
void add(LaneSums& sum, const LaneSums& of);

}  // namespace vizd::bigtpu
