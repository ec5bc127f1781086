// ReplayHole: where a replay's capture has launches of which the trace has no work: the profiler lost their records.
// Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {

// Between the work before and after it, where that is on one stream; a moment where it is not, and before the first and
// after the last, since nothing tells how long those ran.
struct ReplayHole {
  std::uint32_t track = 0, stream = 0;
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t first_launch = 0, launches = 0;  // of the captured range
};

// By track, then by start. None where nothing of the replay was recorded.
std::vector<ReplayHole> replay_holes(const GraphReplays& replays, std::uint32_t replay);

}  // namespace vizd
