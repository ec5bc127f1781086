// When the compute units of a run had waves, as tinygrad's viewer unfolds its step OCC: the units, and one's waves by
// SIMD. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/records.h"
#include "hardware/thread_trace/waves.h"
#include "reference/tinygrad/cycle_profile.h"

namespace vizd {

struct UnitWaves {
  std::int64_t engine = 0;
  std::uint32_t unit = 0;                 // Packet::compute_unit
  std::vector<thread_trace::Wave> waves;  // by start; those of which both beginning and end were recorded
};

// Returns the units that had waves, in order.
std::vector<UnitWaves> units_of(const hardware::Records& records, const hardware::RunKey& run);

std::string unit_step_name(const UnitWaves& unit);  // "SE:1 CU:4 32"
// A lane for each SIMD: "SIMD:0" with "OCC WAVE:3 N:1", the second wave of that slot.
CycleProfile occupancy_lanes(const UnitWaves& unit);

}  // namespace vizd
