#include "derived/trace_window.h"

namespace vizd {

std::vector<TraceWindow> trace_windows(const StretchCounts& counts, std::uint64_t most) {
  std::vector<TraceWindow> made(1);
  std::uint64_t in_window = 0;
  for (const auto& [stretch, count] : counts) {
    if (in_window != 0 && in_window + count > most) {
      made.back().to_cycle = stretch << kStretchBits;
      made.push_back({.from_cycle = stretch << kStretchBits});
      in_window = 0;
    }
    in_window += count;
  }
  return made;
}

}  // namespace vizd
