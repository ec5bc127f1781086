// Reads arbitrary bytes as a trace that holds its own captures, names its replays, and makes every answer about them,
// their lanes among these: each piece of work is of one node at most, and counts add up.
#include <cstddef>
#include <cstdint>

#include "analysis/devices/call_tree.h"
#include "analysis/graph_replay/captured_operators.h"
#include "analysis/graph_replay/replay_lanes.h"
#include "analysis/graph_replay/replay_query.h"
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
    VIZD_ASSERT(row.not_recorded_ns.value_or(0) >= 0 && row.not_recorded_ns.value_or(0) <= row.idle_ns);
  }
  for (const LayerRow& row : layer_rows(replays, all)) in_layers += row.work;
  VIZD_ASSERT(in_nodes == in_replays);
  VIZD_ASSERT(in_layers == static_cast<std::int64_t>(replays.work.size()));
  steady_row(step_rows(replays));
  compare_places(replays, all, replays, all);
  unused_sources(replays);
  Capture lanes;
  add_replay_lanes(replays.capture, {&replays, 1}, lanes);
  for (const Track& track : lanes.profile.tracks) {
    for (const Event& event : track.events) VIZD_ASSERT(event.dur_ns >= 0);
  }
  std::int64_t in_steps = 0, of_steps = 0;
  find_replayed_work(replays, ReplayQuery::parse("phase:decode"), [&](std::uint32_t, std::uint32_t) { ++in_steps; });
  for (const NamedWork& work : replays.work)
    of_steps += work.step != kNoId && replays.steps[work.step].says.phase == StepPhase::kDecode;
  VIZD_ASSERT(in_steps == of_steps);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Capture capture;
  if (!read_capture({"fuzz.json", {reinterpret_cast<const std::byte*>(data), size}}, capture)) return 0;
  if (!capture.profile.is_trace) return 0;
  for (Track& track : capture.profile.tracks) renumber_arguments(track.arguments, {}, track.events.size());
  const auto analysis = std::make_shared<const DeviceAnalysis>(analyse_devices(capture));
  const auto replays = find_named_replays(capture, analysis,
                                          [](std::size_t, std::uint32_t) { return std::make_unique<NamingSources>(); });
  for (const GraphReplays& rank : replays->ranks) check(rank);
  const auto named = with_captured_operators(*replays);
  VIZD_ASSERT(named->work.items.size() == analysis->work.items.size());
  std::int64_t in_tree = 0;
  for (const CallNode& node : make_call_tree(capture, named->work, named->operators, named->figures).nodes)
    in_tree += node.parent == kNoId ? node.launches : 0;
  VIZD_ASSERT(in_tree == static_cast<std::int64_t>(named->work.items.size()));
  return 0;
}
