// Finds the graphs that replays are of, and numbers their nodes, so that each is followed from replay to replay.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <variant>

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {
namespace {

// A graph by its id, else by the captured ranges, else as it was known before, else by the same work in the same
// streams.
struct GraphKey {
  std::uint32_t device;
  std::optional<std::uint64_t> id;
  std::vector<std::uint32_t> ranges;
  std::optional<std::int64_t> kept;
  std::vector<std::pair<std::uint32_t, std::vector<StringId>>> names;  // by stream
  auto operator<=>(const GraphKey&) const = default;
};

// A node by its id, captured launch or the number that it had before; work that is none by the launch before it, its
// name and how many such; else by its stream and its place there.
struct NodeKey {
  enum class Kind : std::uint8_t { kKnown, kBehind, kPlace };
  Kind kind = Kind::kKnown;
  std::int64_t number = 0;  // node, launch, the launch before it, or stream
  StringId name{};
  std::uint32_t times = 0;
  auto operator<=>(const NodeKey&) const = default;
};

class NodeNumberer {
 public:
  explicit NodeNumberer(GraphReplays& made) : made_(made) {}

  void number() {
    for (std::uint32_t r = 0; r < made_.replays.size(); ++r) {
      GraphReplay& replay = made_.replays[r];
      const auto [found, is_new] = graphs_.try_emplace(key_of(replay), static_cast<std::uint32_t>(made_.graphs.size()));
      if (is_new) made_.graphs.emplace_back();
      replay.graph = found->second;
      made_.graphs[replay.graph].replays.push_back(r);
    }
    for (ReplayedGraph& graph : made_.graphs) number_nodes_of(graph);
  }

 private:
  // Where a node stands among those of its graph.
  using Place = std::tuple<std::int64_t, std::int64_t, std::string_view, std::uint32_t>;
  struct Node {
    Place place;
    std::uint32_t seen = 0;  // in the order of their first work
  };

  StringId name_of(std::uint32_t i) const {
    const WorkItem& item = made_.item(i);
    return made_.capture.profile.tracks[item.track].events.name(item.event);
  }

  GraphKey key_of(const GraphReplay& replay) const {
    GraphKey key{replay.device, replay.graph_id, {}, {}, {}};
    if (replay.graph_id) return key;
    key.ranges = replay.ranges;
    key.kept = replay.kept_graph;
    if (!replay.ranges.empty() || replay.kept_graph) return key;
    std::map<std::uint32_t, std::vector<StringId>> names;
    for (const std::uint32_t i : replay.items) names[made_.item(i).stream].push_back(name_of(i));
    for (auto& [stream, of] : names) key.names.emplace_back(stream, std::move(of));
    return key;
  }

  std::vector<NodeKey> keys_of(const GraphReplay& replay) const {
    std::vector<NodeKey> keys;
    std::map<std::uint32_t, std::uint32_t> places;                     // by stream
    std::map<std::pair<std::int64_t, StringId>, std::uint32_t> times;  // by launch before it and name
    std::int64_t last = -1;
    for (const std::uint32_t i : replay.items) {
      const NamedWork& work = made_.work[i];
      if (replay.is_ordered) {
        keys.push_back({NodeKey::Kind::kKnown, static_cast<std::int64_t>(*work.node_id), {}, 0});
      } else if (work.launch != kNoId) {
        keys.push_back({NodeKey::Kind::kKnown, work.launch, {}, 0});
      } else if (replay.kept_graph && work.kept_node != kNoId) {
        keys.push_back({NodeKey::Kind::kKnown, work.kept_node, {}, 0});
      } else if (!replay.ranges.empty()) {
        keys.push_back({NodeKey::Kind::kBehind, last, name_of(i), ++times[{last, name_of(i)}]});
      } else {
        keys.push_back({NodeKey::Kind::kPlace, made_.item(i).stream, {}, ++places[made_.item(i).stream]});
      }
      if (work.launch != kNoId) last = std::max<std::int64_t>(last, work.launch);
    }
    return keys;
  }

  Place place_of(const NodeKey& key, const GraphReplay& replay, std::uint32_t i) const {
    if (key.kind == NodeKey::Kind::kKnown) return {key.number, 0, {}, 0};
    if (key.kind == NodeKey::Kind::kBehind) return {key.number, 1, made_.capture.strings.get(key.name), key.times};
    return {made_.item(i).start_ns - made_.item(replay.first).start_ns, i, {}, 0};
  }

  void number_nodes_of(ReplayedGraph& graph) {
    std::map<NodeKey, Node> nodes;
    std::vector<std::vector<NodeKey>> keys;
    for (const std::uint32_t r : graph.replays) {
      const GraphReplay& replay = made_.replays[r];
      keys.push_back(keys_of(replay));
      for (std::size_t k = 0; k < replay.items.size(); ++k) {
        const auto [found, is_new] = nodes.try_emplace(keys.back()[k]);
        if (is_new)
          found->second = {place_of(keys.back()[k], replay, replay.items[k]), static_cast<std::uint32_t>(nodes.size())};
      }
    }
    std::vector<std::pair<Node, NodeKey>> order;
    for (const auto& [key, node] : nodes) order.emplace_back(node, key);
    std::ranges::sort(order, {}, [](const auto& node) { return std::tuple(node.first.place, node.first.seen); });
    std::map<NodeKey, std::uint32_t> numbers;
    for (const auto& [node, key] : order) numbers.emplace(key, static_cast<std::uint32_t>(numbers.size()));
    for (std::size_t r = 0; r < graph.replays.size(); ++r) {
      const GraphReplay& replay = made_.replays[graph.replays[r]];
      for (std::size_t k = 0; k < replay.items.size(); ++k) made_.work[replay.items[k]].node = numbers.at(keys[r][k]);
    }
    graph.nodes = static_cast<std::uint32_t>(numbers.size());
  }

  GraphReplays& made_;
  std::map<GraphKey, std::uint32_t> graphs_;
};

}  // namespace

void number_nodes(GraphReplays& made) { NodeNumberer(made).number(); }

}  // namespace vizd
