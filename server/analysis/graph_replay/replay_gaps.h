// ReplayGap: what a device waited for before a replay began: for its launch to take effect, for the host to launch it,
// or for a step of the server to begin. The three add up to ReplayRow::gap_before_ns. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/graph_replay/replay_rows.h"

namespace vizd {

struct ReplayGap {
  std::int64_t launch_ns = 0;   // the call had begun
  std::int64_t host_ns = 0;     // a step had begun on the call's thread, and not yet the call; all of it without steps
  std::int64_t no_step_ns = 0;  // no step ran on that thread: nothing to do
  std::int64_t unknown_ns = 0;  // the trace has no call

  void add(const ReplayGap& other) {
    launch_ns += other.launch_ns, host_ns += other.host_ns;
    no_step_ns += other.no_step_ns, unknown_ns += other.unknown_ns;
  }
};

// By row.
std::vector<ReplayGap> replay_gaps(const GraphReplays& replays, const std::vector<ReplayRow>& rows);

}  // namespace vizd
