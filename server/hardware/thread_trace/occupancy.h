// How full a run's shader engines were, from the waves of its thread traces: how many ran at once, against what the
// hardware holds; how long the engines ran out at the end; how unevenly the waves fell on the compute units. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "hardware/thread_trace/waves.h"

namespace vizd::thread_trace {

struct UnitLoad {
  std::uint32_t unit = 0;  // Packet::compute_unit
  std::uint64_t waves = 0;
  std::int64_t wave_cycles = 0;  // of all of them together
};

// The occupancy of one engine: each has a clock of its own.
struct Occupancy {
  Layout layout = Layout::kRdna3;
  std::uint64_t waves = 0;
  std::int64_t most_at_once = 0;
  std::int64_t span_cycles = 0;  // from the first wave's beginning to the last one's end
  std::int64_t wave_cycles = 0;  // of all of them together
  std::int64_t tail_cycles = 0;  // at the end, with fewer than half as many waves as at most
  std::vector<UnitLoad> units;   // those that had waves, in order
};

Occupancy occupancy_of(const Waves& waves);

}  // namespace vizd::thread_trace
