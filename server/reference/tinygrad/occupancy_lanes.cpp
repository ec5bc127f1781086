#include "reference/tinygrad/occupancy_lanes.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace vizd {

std::vector<UnitWaves> units_of(const hardware::Records& records, const hardware::RunKey& run) {
  std::map<std::pair<std::int64_t, std::uint32_t>, UnitWaves> units;
  for (const hardware::ThreadTrace* const trace : records.traces_of(run)) {
    for (const thread_trace::Wave& wave : thread_trace::waves_of(trace->packets).waves) {
      if (!wave.has_ended) continue;
      UnitWaves& unit = units[{trace->engine, wave.unit}];
      unit.engine = trace->engine;
      unit.unit = wave.unit;
      unit.waves.push_back(wave);
    }
  }
  std::vector<UnitWaves> listed;
  for (auto& [place, unit] : units) listed.push_back(std::move(unit));
  return listed;
}

std::string unit_step_name(const UnitWaves& unit) {
  return fmt::format("SE:{} CU:{} {}", unit.engine, unit.unit, unit.waves.size());
}

CycleProfile occupancy_lanes(const UnitWaves& unit) {
  CycleProfile profile;
  std::map<std::uint8_t, CycleLane> simds;
  std::map<std::pair<std::uint8_t, std::uint8_t>, std::uint64_t> waves_of_slot;
  for (const thread_trace::Wave& wave : unit.waves) {
    const auto name = static_cast<std::uint32_t>(profile.names.size());
    profile.names.push_back(fmt::format("OCC WAVE:{} N:{}", wave.slot, waves_of_slot[{wave.simd, wave.slot}]++));
    simds[wave.simd].events.push_back({name, wave.start_cycle, wave.end_cycle, "{}"});
  }
  for (auto& [simd, lane] : simds) {
    lane.name = fmt::format("SIMD:{}", simd);
    profile.lanes.push_back(std::move(lane));
  }
  return profile;
}

}  // namespace vizd
