// Finds which work was launched by one call as a graph, and in which step.
#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "analysis/devices/items_by_track.h"
#include "analysis/figures/argument_cursor.h"
#include "analysis/graph_replay/graph_replays.h"
#include "analysis/graph_replay/kept_names.h"

namespace vizd {
namespace {

constexpr std::uint64_t kLocalId = 0xFFFFFFFFu;

// An id that may be a number or its text.
std::optional<std::uint64_t> whole_id(const std::optional<ArgumentValue>& value, const StringTable& strings) {
  if (!value) return std::nullopt;
  if (const auto* const number = std::get_if<std::int64_t>(&*value))
    return *number < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(*number));
  const auto* const text = std::get_if<StringId>(&*value);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = strings.get(*text);
  std::uint64_t id = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  const bool is_whole = failed == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  return is_whole ? std::optional(id) : std::nullopt;
}

// The id of a graph's node: the graph's id above that of the node in it, whichever of the two the trace has.
std::optional<std::uint64_t> node_id_of(std::uint64_t graph, const std::optional<std::uint64_t>& node) {
  if (!node || (graph == 0 && *node == 0)) return std::nullopt;
  return *node > kLocalId ? *node : (graph << 32 | *node);
}

class ReplayFinder {
 public:
  explicit ReplayFinder(GraphReplays& made) : made_(made), work_(made.analysis.work) {}

  void find() {
    read_node_ids();
    find_steps();
    group();
  }

 private:
  struct Key {
    std::uint32_t device;
    ArgumentKey correlation;
    std::uint64_t graph;
    auto operator<=>(const Key&) const = default;
  };

  std::size_t end() const { return made_.first_item + made_.work.size(); }

  void read_node_ids() {
    const auto& tracks = made_.capture.profile.tracks;
    const StringTable& strings = made_.capture.strings;
    const auto having = tracks_with(tracks, {"graph node id"}, strings);
    for (const auto& [track, items] : items_by_track(work_, made_.first_item, end(), having)) {
      ArgumentCursor graph(tracks[track], "graph id", strings), node(tracks[track], "graph node id", strings);
      for (const auto& [event, item] : items)
        made_.work[item - made_.first_item].node_id =
            node_id_of(whole_id(graph.at(event), strings).value_or(0), whole_id(node.at(event), strings));
    }
  }

  std::uint32_t step_of(const ServerStepsByThread& steps, std::uint32_t call) const {
    if (call == kNoId) return kNoId;
    return steps.at(made_.host->thread_of(work_.calls[call].track), work_.calls[call].start_ns);
  }

  void find_steps() {
    const ServerStepsByThread steps(made_.steps, made_.host->threads().size());
    for (std::uint32_t i = 0; i < made_.work.size(); ++i) made_.work[i].step = step_of(steps, made_.item(i).call);
  }

  bool is_graph_launch(std::uint32_t call) {
    if (call == kNoId) return false;
    const ProfileEvent& event = work_.calls[call];
    const StringId name = made_.capture.profile.tracks[event.track].events.name(event.event);
    const auto [found, is_new] = launches_.try_emplace(name);
    if (is_new) found->second = vizd::is_graph_launch(made_.capture.strings.get(name));
    return found->second;
  }

  void group() {
    std::vector<bool> is_replayed(made_.work.size());
    for (std::uint32_t i = 0; i < made_.work.size(); ++i)
      is_replayed[i] = made_.work[i].node_id.has_value() || is_graph_launch(made_.item(i).call);
    const auto& tracks = made_.capture.profile.tracks;
    const StringTable& strings = made_.capture.strings;
    std::map<Key, GraphReplay> groups;
    const std::vector<bool> all(tracks.size(), true);
    for (const auto& [track, items] : items_by_track(work_, made_.first_item, end(), all)) {
      ArgumentCursor keys(tracks[track], "correlation", strings), values(tracks[track], "correlation", strings);
      for (const auto& [event, item] : items) {
        const auto i = static_cast<std::uint32_t>(item - made_.first_item);
        if (!is_replayed[i]) continue;
        Key key{work_.streams[made_.item(i).stream].device, {}, 0};
        if (const auto correlation = keys.key_at(event)) {
          key.correlation = *correlation;
        } else {
          key.graph = made_.work[i].node_id.value_or(0) >> 32;
        }
        GraphReplay& replay = groups[key];
        replay.device = key.device;
        replay.correlation = values.at(event);
        replay.items.push_back(i);
      }
    }
    for (auto& [key, replay] : groups) made_.replays.push_back(std::move(replay));
    for (GraphReplay& replay : made_.replays) order(replay);
    std::ranges::sort(made_.replays, {}, [&](const GraphReplay& replay) {
      return std::pair(made_.item(replay.first).start_ns, replay.first);
    });
    for (std::uint32_t r = 0; r < made_.replays.size(); ++r) {
      std::uint32_t place = 0;
      for (const std::uint32_t i : made_.replays[r].items) made_.work[i].replay = r, made_.work[i].place = place++;
    }
  }

  void order(GraphReplay& replay) {
    std::ranges::sort(replay.items, {}, [&](std::uint32_t i) { return std::pair(made_.item(i).start_ns, i); });
    replay.first = replay.items.front();
    replay.call = made_.item(replay.first).call;
    replay.step = made_.work[replay.first].step;
    std::set<std::uint64_t> ids, graphs;
    for (const std::uint32_t i : replay.items) {
      const auto& id = made_.work[i].node_id;
      if (!id || !ids.insert(*id).second) return;
      graphs.insert(*id >> 32);
    }
    replay.is_ordered = true;
    std::ranges::sort(replay.items, {}, [&](std::uint32_t i) { return *made_.work[i].node_id; });
    if (graphs.size() == 1) replay.graph_id = *graphs.begin();
  }

  GraphReplays& made_;
  const DeviceWork& work_;
  std::map<StringId, bool> launches_;  // by name of a call
};

}  // namespace

void find_replays(GraphReplays& made) { ReplayFinder(made).find(); }

GraphReplays find_graph_replays(const Capture& capture, const DeviceAnalysis& analysis, std::uint32_t root,
                                std::unique_ptr<NamingSources> sources) {
  GraphReplays made{.capture = capture, .analysis = analysis, .root = root, .sources = std::move(sources)};
  add_captured_ranges(capture, root, "", *made.sources);
  made.host = std::make_unique<HostEvents>(capture, root);
  made.steps = find_server_steps(capture, *made.host);
  const DeviceWork& work = analysis.work;
  const auto is_of_rank = [&](const WorkItem& item) { return work.device_of(item).root == root; };
  const auto first = std::ranges::find_if(work.items, is_of_rank);
  made.first_item = static_cast<std::uint32_t>(first - work.items.begin());
  made.work.resize(static_cast<std::size_t>(std::ranges::count_if(work.items, is_of_rank)));
  made.said.emplace_back();
  find_replays(made);
  name_replays(made);
  annotate_nodes(made);
  take_kept_names(made);
  find_context_of_eager_work(made);
  number_nodes(made);
  return made;
}

}  // namespace vizd
