// Prints answers about graph replays: how kernels were named, graphs, replays, nodes, the server's steps, layers; as
// tables for people, and as JSON, one object a line. One thread.
#pragma once

#include "analysis/graph_replay/replay_rows.h"
#include "cli/devices/device_inputs.h"

namespace vizd {

enum class ReplayAnswer : std::uint8_t { kGraphs, kReplays, kNodes, kSteps, kLayers };

// Also says on stderr what was given, or lies beside the trace, and names nothing.
void print_replay_answer(const DeviceInput& input, ReplayAnswer answer, const StepChoice& steps, std::size_t most,
                         bool json);
// How long the median decode step takes, from its first work to that of the next, in two runs; none where there is
// none.
struct DecodeChange {
  std::optional<double> a_median_ns = {}, b_median_ns = {};

  std::optional<double> percent() const {
    if (!a_median_ns || !b_median_ns || *a_median_ns <= 0) return std::nullopt;
    return 100 * (*b_median_ns - *a_median_ns) / *a_median_ns;
  }
};

// Two runs place by place, the greatest change first.
DecodeChange print_compared_places(const DeviceInput& a, const DeviceInput& b, const StepChoice& steps,
                                   std::size_t most, bool json);
// "425 of 425 kernels named, 421 by order"; nothing where no graph was replayed.
void print_naming(const LoadedCapture& loaded);

}  // namespace vizd
