// Reads arbitrary bytes as a trace that holds its own captures, names its replays, and makes every answer about them:
// each piece of work is of one node at most, and counts add up.
#include <cstddef>
#include <cstdint>

#include "analysis/graph_replay/replay_rows.h"
#include "base/assert.h"
#include "formats/registry.h"

using namespace vizd;

namespace {

void check(const GraphReplays& replays) {
  const ChosenWork all(replays, {});
  const NamingRow naming = naming_row(replays, all);
  const FoundCounts& found = naming.found;
  VIZD_ASSERT(found.id + found.order + found.guessed + found.none == naming.in_replays);
  VIZD_ASSERT(naming.in_replays + naming.own_operator + naming.own_stack + naming.own_none == naming.kernels);
  std::int64_t in_nodes = 0, in_replays = 0, in_layers = 0;
  for (const NodeRow& row : node_rows(replays, all)) in_nodes += row.durations.launches;
  for (const ReplayRow& row : replay_rows(replays, all)) {
    in_replays += row.work;
    VIZD_ASSERT(row.busy_ns >= 0 && row.busy_ns <= row.span_ns && row.busy_ns <= row.total_ns);
  }
  for (const LayerRow& row : layer_rows(replays, all)) in_layers += row.work;
  VIZD_ASSERT(in_nodes == in_replays);
  VIZD_ASSERT(in_layers == static_cast<std::int64_t>(replays.work.size()));
  steady_row(step_rows(replays));
  compare_places(replays, all, replays, all);
  unused_sources(replays);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Capture capture;
  if (!read_capture({"fuzz.json", {reinterpret_cast<const std::byte*>(data), size}}, capture)) return 0;
  if (!capture.profile.is_trace) return 0;
  for (Track& track : capture.profile.tracks) renumber_arguments(track.arguments, {}, track.events.size());
  const DeviceAnalysis analysis = analyse_devices(capture);
  for (const std::uint32_t root : rank_roots(capture))
    check(find_graph_replays(capture, analysis, root, std::make_unique<NamingSources>()));
  return 0;
}
