// What of a long trace stands in one capture: traces come in parts, of so many instructions or samples each. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace vizd {

// All cycles of a whole trace are between this and its negative.
inline constexpr std::int64_t kMostCycle = std::int64_t{1} << 52;

// Cycles from (inclusive) to (exclusive), of the axis that all traces of a run share.
struct TraceWindow {
  std::int64_t from_cycle = -kMostCycle, to_cycle = kMostCycle;
  bool holds(std::int64_t cycle) const { return cycle >= from_cycle && cycle < to_cycle; }
};

// Counts of instructions or samples by the stretch of so many cycles in which they begin: (first cycle >>
// kStretchBits), count.
inline constexpr unsigned kStretchBits = 12;
using StretchCounts = std::map<std::int64_t, std::uint64_t>;
// Windows that follow each other and hold everything, each with no more than so many, but for a stretch that has more
// by itself.
std::vector<TraceWindow> trace_windows(const StretchCounts& counts, std::uint64_t most);

}  // namespace vizd
