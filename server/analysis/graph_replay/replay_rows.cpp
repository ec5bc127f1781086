// Rows of graphs, replays and nodes.
#include "analysis/graph_replay/replay_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/figures/span_union.h"
#include "analysis/graph_replay/replay_holes.h"
#include "analysis/pytorch/operator_cost.h"

namespace vizd {
namespace {

std::optional<std::int64_t> if_told(std::uint32_t place) {
  return place == kNoId ? std::nullopt : std::optional<std::int64_t>(place);
}

CaptureOfReplay capture_of(const GraphReplays& replays, const GraphReplay& replay) {
  if (replay.ranges.empty()) return {};
  const CapturedRange& range = replays.sources->ranges[replay.ranges.front()];
  return {.file = range.file,
          .mode = range.mode == kNoText ? std::nullopt : std::optional(replays.text(range.mode)),
          .range = range.index,
          .size = range.size,
          .fit = replay.fit.value()};
}

// By replay the time from the end of all work of its device that began before it; none of a device's first work.
std::vector<std::optional<std::int64_t>> find_gaps(const GraphReplays& replays) {
  std::vector<std::uint32_t> order(replays.work.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(replays.item(i).start_ns, i); });
  std::vector<std::optional<std::int64_t>> gaps(replays.replays.size()), ends(replays.analysis.work.devices.size());
  for (const std::uint32_t i : order) {
    const WorkItem& item = replays.item(i);
    auto& end_ns = ends[replays.analysis.work.streams[item.stream].device];
    const std::uint32_t replay = replays.work[i].replay;
    if (replay != kNoId && replays.replays[replay].first == i && end_ns)
      gaps[replay] = std::max<std::int64_t>(0, item.start_ns - *end_ns);
    end_ns = std::max(end_ns.value_or(item.end_ns), item.end_ns);
  }
  return gaps;
}

class ReplayRowMaker {
 public:
  explicit ReplayRowMaker(const GraphReplays& replays)
      : replays_(replays), offset_ns_(file_offset_ns(replays)), gaps_(find_gaps(replays)) {}

  ReplayRow make(std::uint32_t r) const {
    const GraphReplay& replay = replays_.replays[r];
    ReplayRow row{.replay = r, .graph = replay.graph};
    row.device = replays_.analysis.work.devices[replay.device].number;
    row.correlation = replay.correlation;
    row.step = if_told(replay.step);
    row.gap_before_ns = gaps_[r];
    row.capture = capture_of(replays_, replay);
    if (row.capture.file) row.missing = replay.missing;
    add_work(replay, row);
    if (replay.missing > 0) add_not_recorded(r, row);
    add_call(replay, row);
    return row;
  }

 private:
  void add_work(const GraphReplay& replay, ReplayRow& row) const {
    std::vector<std::uint32_t> by_start = replay.items;
    std::ranges::sort(by_start, {}, [&](std::uint32_t i) { return replays_.item(i).start_ns; });
    SpanUnion busy;
    std::set<std::uint32_t> streams;
    const std::int64_t start_ns = replays_.item(replay.first).start_ns;
    std::int64_t end_ns = start_ns;
    for (const std::uint32_t i : by_start) {
      const WorkItem& item = replays_.item(i);
      busy.add(item.start_ns, item.end_ns);
      streams.insert(item.stream);
      end_ns = std::max(end_ns, item.end_ns);
      row.total_ns += item.end_ns - item.start_ns;
      if (item.work == EventRole::kKernel) ++row.kernels;
      row.found.add(replays_.work[i].found);
    }
    row.start_ns = start_ns + offset_ns_;
    row.end_ns = end_ns + offset_ns_;
    row.span_ns = end_ns - start_ns;
    row.busy_ns = busy.length_ns();
    row.idle_ns = row.span_ns - row.busy_ns;
    row.work = static_cast<std::int64_t>(replay.items.size());
    row.streams = static_cast<std::int64_t>(streams.size());
  }

  // Counts the time of the holes in which nothing else of the replay ran.
  void add_not_recorded(std::uint32_t r, ReplayRow& row) const {
    std::vector<TimeSpan> spans;
    for (const ReplayHole& hole : replay_holes(replays_, r)) spans.push_back({hole.start_ns, hole.end_ns});
    for (const std::uint32_t i : replays_.replays[r].items)
      spans.push_back({replays_.item(i).start_ns, replays_.item(i).end_ns});
    std::ranges::sort(spans, {}, &TimeSpan::from_ns);
    SpanUnion all;
    for (const TimeSpan& span : spans) all.add(span.from_ns, span.to_ns);
    row.not_recorded_ns = all.length_ns() - row.busy_ns;
  }

  void add_call(const GraphReplay& replay, ReplayRow& row) const {
    if (replay.call == kNoId) return;
    const ProfileEvent& call = replays_.analysis.work.calls[replay.call];
    const EventColumns& events = replays_.capture.profile.tracks[call.track].events;
    row.launch = replays_.capture.strings.get(events.name(call.event));
    row.launch_start_ns = call.start_ns + offset_ns_;
    row.launch_ns = call.end_ns - call.start_ns;
    row.launch_to_start_ns = replays_.item(replay.first).start_ns - call.start_ns;
  }

  const GraphReplays& replays_;
  const std::int64_t offset_ns_;
  const std::vector<std::optional<std::int64_t>> gaps_;
};

// The arithmetic of each captured operator, once a replay, shared by its kernels by their time.
void add_costs(const GraphReplays& replays, std::vector<NodeRow>::iterator first, std::vector<NodeRow>::iterator end) {
  std::map<std::uint32_t, std::vector<NodeRow*>> by_call;
  for (auto row = first; row != end; ++row) {
    const SaidOfWork& said = *row->said;
    if (said.captured == nullptr || said.input_dims == kNoText || row->kind != EventRole::kKernel) continue;
    if (said.captured->call() != kNoId) by_call[said.captured->call()].push_back(&*row);
  }
  const auto text = [&](StringId id) { return id == kNoText ? std::string_view() : replays.text(id); };
  for (const auto& [call, rows] : by_call) {
    const LaunchContext& captured = *rows.front()->said->captured;
    const auto cost = operator_cost({.name = text(captured.operator_name()),
                                     .dims = text(captured.input_dims),
                                     .types = text(captured.input_types),
                                     .concrete = text(captured.concrete_inputs),
                                     .kernel = rows.front()->name});
    if (!cost) continue;
    double total_ns = 0;
    for (const NodeRow* const row : rows) total_ns += row->durations.mean_ns;
    for (NodeRow* const row : rows) {
      const double part = total_ns > 0 ? row->durations.mean_ns / total_ns : 1 / static_cast<double>(rows.size());
      row->flop = cost->flop * part;
      if (cost->bytes) row->bytes = *cost->bytes * part;
    }
  }
}

// A node's pieces of work, in the order of their replays.
NodeRow node_row(const GraphReplays& replays, const std::vector<std::uint32_t>& items) {
  const WorkItem& first = replays.item(items.front());
  NodeRow row{.node = replays.work[items.front()].node, .kind = first.work, .name = replays.name_of(items.front())};
  row.stream = replays.analysis.work.streams[first.stream].number;
  if (const auto& id = replays.work[items.front()].node_id) row.node_id = static_cast<std::int64_t>(*id);
  std::vector<std::int64_t> durations_ns;
  const NamedWork* best = nullptr;
  std::int64_t longest_ns = -1;
  for (const std::uint32_t i : items) {
    const NamedWork& work = replays.work[i];
    if (best == nullptr || work.found > best->found) best = &work;
    durations_ns.push_back(replays.item(i).end_ns - replays.item(i).start_ns);
    if (durations_ns.back() <= longest_ns) continue;
    longest_ns = durations_ns.back();
    row.slowest_replay = work.replay;
  }
  row.found = best->found;
  row.launch_index = if_told(best->launch);
  row.said = &replays.said_of(*best);
  row.durations = launch_statistics(durations_ns);
  return row;
}

}  // namespace

void FoundCounts::add(Found found) {
  switch (found) {
    case Found::kId:
      ++id;
      break;
    case Found::kOrder:
      ++order;
      break;
    case Found::kGuessed:
      ++guessed;
      break;
    case Found::kNone:
      ++none;
      break;
  }
}

std::int64_t file_offset_ns(const GraphReplays& replays) {
  for (const Fact& fact : replays.capture.facts) {
    if (!fact.is_hidden || replays.capture.strings.get(fact.name) != fact::kTimeOffset_ns) continue;
    const auto* const offset_ns = std::get_if<std::int64_t>(&fact.value);
    if (fact.track == replays.root && offset_ns != nullptr) return *offset_ns;
  }
  return 0;
}

NamingRow naming_row(const GraphReplays& replays, const ChosenWork& chosen) {
  NamingRow row;
  for (std::uint32_t i = 0; i < replays.work.size(); ++i) {
    const NamedWork& work = replays.work[i];
    if (replays.item(i).work != EventRole::kKernel || !chosen.has_work(replays, i)) continue;
    ++row.kernels;
    if (work.replay != kNoId) {
      ++row.in_replays;
      row.found.add(work.found);
    } else if (replays.said_of(work).operator_name != kNoText) {
      ++row.own_operator;
    } else {
      ++(work.has_stack ? row.own_stack : row.own_none);
    }
  }
  return row;
}

std::vector<GraphRow> graph_rows(const GraphReplays& replays, const ChosenWork& chosen) {
  std::vector<GraphRow> rows;
  for (std::uint32_t g = 0; g < replays.graphs.size(); ++g) {
    const GraphReplay& first = replays.replays[replays.graphs[g].replays.front()];
    GraphRow row{.graph = g, .device = replays.analysis.work.devices[first.device].number};
    if (first.graph_id) row.graph_id = static_cast<std::int64_t>(*first.graph_id);
    row.candidates = static_cast<std::int64_t>(first.candidates);
    row.capture = capture_of(replays, first);
    std::set<std::uint32_t> nodes, streams;
    for (const std::uint32_t r : replays.graphs[g].replays) {
      if (!chosen.has_replay(replays, r)) continue;
      ++row.replays;
      for (const std::uint32_t i : replays.replays[r].items) {
        if (!chosen.has_work(replays, i)) continue;
        nodes.insert(replays.work[i].node);
        streams.insert(replays.item(i).stream);
        row.found.add(replays.work[i].found);
      }
    }
    row.nodes = static_cast<std::int64_t>(nodes.size()), row.streams = static_cast<std::int64_t>(streams.size());
    if (row.replays > 0) rows.push_back(row);
  }
  return rows;
}

std::vector<ReplayRow> replay_rows(const GraphReplays& replays, const ChosenWork& chosen) {
  const ReplayRowMaker maker(replays);
  std::vector<ReplayRow> rows;
  for (std::uint32_t r = 0; r < replays.replays.size(); ++r) {
    if (chosen.has_replay(replays, r)) rows.push_back(maker.make(r));
  }
  return rows;
}

std::vector<NodeRow> node_rows(const GraphReplays& replays, const ChosenWork& chosen) {
  std::vector<NodeRow> rows;
  for (std::uint32_t g = 0; g < replays.graphs.size(); ++g) {
    const ReplayedGraph& graph = replays.graphs[g];
    std::vector<std::vector<std::uint32_t>> items(graph.nodes);
    for (const std::uint32_t r : graph.replays) {
      for (const std::uint32_t i : replays.replays[r].items) {
        if (chosen.has_work(replays, i)) items[replays.work[i].node].push_back(i);
      }
    }
    const std::size_t first = rows.size();
    for (const auto& of : items) {
      if (of.empty()) continue;
      rows.push_back(node_row(replays, of));
      rows.back().graph = g;
    }
    add_costs(replays, rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end());
  }
  return rows;
}

}  // namespace vizd
