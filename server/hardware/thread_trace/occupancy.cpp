#include "hardware/thread_trace/occupancy.h"

#include <algorithm>
#include <map>

namespace vizd::thread_trace {

Occupancy occupancy_of(const Waves& waves) {
  Occupancy made;
  made.layout = waves.layout;
  std::map<std::uint32_t, UnitLoad> units;
  std::vector<std::pair<std::int64_t, int>> changes;
  for (const Wave& wave : waves.waves) {
    const std::int64_t cycles = std::max<std::int64_t>(wave.end_cycle - wave.start_cycle, 0);
    UnitLoad& unit = units[wave.unit];
    unit.unit = wave.unit;
    ++unit.waves;
    unit.wave_cycles += cycles;
    made.wave_cycles += cycles;
    changes.emplace_back(wave.start_cycle, 1);
    changes.emplace_back(wave.start_cycle + cycles, -1);
  }
  made.waves = waves.waves.size();
  for (auto& [number, unit] : units) made.units.push_back(unit);
  if (changes.empty()) return made;
  std::ranges::sort(changes);
  std::int64_t running = 0;
  for (const auto& [cycle, change] : changes) made.most_at_once = std::max(made.most_at_once, running += change);
  made.span_cycles = changes.back().first - changes.front().first;
  // From the end back to where half of the most ran.
  running = 0;
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    running -= change->second;
    if (2 * running < made.most_at_once) continue;
    made.tail_cycles = changes.back().first - change->first;
    break;
  }
  return made;
}

}  // namespace vizd::thread_trace
