// The stream of a pass, read back as the page reads it (API.md), tells for every state what its history says.
#include "http/routes/pass_json.h"

#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "support/catch.h"
#include "unit/rewrite/random_pass.h"

namespace vizd::pass_json_test {
using nlohmann::json;

namespace {

using Node = std::tuple<int, std::string, std::string, int, int>;  // id, kind's colour, label, inlined, ref
using Edge = std::tuple<int, int, int>;                            // source, user, port

struct State {
  std::set<Node> nodes;
  std::set<Edge> edges;
  int root = -1;
  bool operator==(const State&) const = default;
};

// What the page knows after the events so far.
class Reader {
 public:
  explicit Reader(const json& graph) {
    take_names(graph);
    take_nodes(graph["nodes"], nullptr);
    take_edges(graph["edges"], nullptr);
    roots_[0] = graph["root"];
  }

  void take(const json& batch) {
    take_names(batch);
    take_nodes(batch["nodes"], "born");
    take_nodes(batch["versions"], "state");
    take_edges(batch["edges"], "born");
    for (std::size_t i = 0; i < batch["deaths"]["id"].size(); ++i)
      nodes_.at(batch["deaths"]["id"][i]).died = batch["deaths"]["state"][i];
    for (std::size_t i = 0; i < batch["edge_deaths"]["edge"].size(); ++i)
      edges_.at(batch["edge_deaths"]["edge"][i]).died = batch["edge_deaths"]["state"][i];
    for (std::size_t i = 0; i < batch["roots"]["id"].size(); ++i)
      roots_[batch["roots"]["state"][i]] = batch["roots"]["id"][i];
  }

  State at(int state) const {
    State result;
    for (std::size_t id = 0; id < nodes_.size(); ++id) {
      const Life& life = nodes_[id];
      if (life.born > state || life.died <= state) continue;
      const auto& [kind, label, inlined, ref] = std::prev(life.versions.upper_bound(state))->second;
      result.nodes.insert({static_cast<int>(id), colours_.at(kind), labels_.at(label), inlined, ref});
    }
    for (const EdgeLife& edge : edges_) {
      if (edge.born <= state && state < edge.died) result.edges.insert(edge.ends);
    }
    result.root = std::prev(roots_.upper_bound(state))->second;
    return result;
  }

 private:
  static constexpr int kNever = 1 << 30;
  struct Life {
    int born;
    int died = kNever;
    std::map<int, std::tuple<std::size_t, std::size_t, int, int>> versions;
  };
  struct EdgeLife {
    Edge ends;
    int born;
    int died = kNever;
  };

  void take_names(const json& event) {
    for (const json& label : event["labels"]) labels_.push_back(label);
    for (const json& kind : event["kinds"]) colours_.push_back(kind["colour"]);
  }
  void take_nodes(const json& nodes, const char* state_key) {
    for (std::size_t i = 0; i < nodes["id"].size(); ++i) {
      const int state = state_key == nullptr ? 0 : nodes[state_key][i].get<int>();
      const std::size_t id = nodes["id"][i];
      if (state_key == nullptr || std::string_view(state_key) == "born") {
        REQUIRE(id == nodes_.size());
        nodes_.push_back({.born = state, .versions = {}});
      }
      nodes_.at(id).versions[state] = {nodes["kind"][i], nodes["label"][i], nodes["inlined"][i], nodes["ref"][i]};
    }
  }
  void take_edges(const json& edges, const char* state_key) {
    for (std::size_t i = 0; i < edges["source"].size(); ++i)
      edges_.push_back({.ends = {edges["source"][i], edges["user"][i], edges["port"][i]},
                        .born = state_key == nullptr ? 0 : edges[state_key][i].get<int>()});
  }

  std::vector<Life> nodes_;
  std::vector<EdgeLife> edges_;
  std::vector<std::string> labels_;
  std::vector<std::string> colours_;
  std::map<int, int> roots_;
};

State state_of(const Capture& capture, const History& history, std::uint32_t state) {
  State result;
  for (std::size_t n = 0; n < history.nodes.size(); ++n) {
    const HistoryNode& node = history.nodes[n];
    if (node.born > state || node.died <= state) continue;
    const NodeVersion* now = nullptr;
    for (std::uint32_t v = 0; v < node.version_count; ++v) {
      if (history.versions[node.first_version + v].state <= state) now = &history.versions[node.first_version + v];
    }
    const int ref = index(now->ref) == kNoId ? -1 : static_cast<int>(index(now->ref));
    result.nodes.insert({static_cast<int>(n), std::string(capture.dialect->kind_colour(now->kind)),
                         history.labels[now->label], now->inlined, ref});
  }
  for (const HistoryEdge& edge : history.edges) {
    if (edge.born <= state && state < edge.died)
      result.edges.insert({static_cast<int>(index(edge.source)), static_cast<int>(index(edge.user)), edge.port});
  }
  for (const RootVersion& root : history.roots) {
    if (root.state <= state) result.root = static_cast<int>(index(root.root));
  }
  return result;
}

}  // namespace

TEST_CASE("every state can be read from a pass's stream, whole or in batches, with or without an early first graph") {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    toy::Builder builder;
    toy::fill_with_random_pass(builder, seed);
    const Capture& capture = builder.capture;
    const Pass& pass = builder.pass();
    const auto history = build_history(capture, pass, {});
    REQUIRE(history);
    Pass first = pass;
    first.match_count = 0;
    const auto beginning = build_history(capture, first, {});
    REQUIRE(beginning);

    SourceLines sources({.enabled = false, .root = ""});
    PassWriter writer(capture, pass, sources);
    const History& drawn = seed % 2 == 0 ? *history : *beginning;
    const json graph = json::parse(writer.graph(drawn, lay_out_states(drawn, 0, 0, {}), 0));
    CHECK(graph["states"] == history->state_count);
    CHECK(graph["x"].size() == graph["nodes"]["id"].size());
    Reader reader(graph);
    const std::uint32_t batch = 1 + seed % 7;
    for (std::uint32_t from = 1; from < history->state_count; from += batch) {
      const std::uint32_t to = std::min(from + batch, history->state_count) - 1;
      const json matches = json::parse(writer.matches(*history, from, to));
      CHECK(matches["rule"].size() == to - from + 1);
      CHECK(matches["dur_ns"].is_null());
      reader.take(matches);
    }
    for (std::uint32_t state = 0; state < history->state_count; ++state) {
      INFO("seed " << seed << " state " << state);
      REQUIRE(reader.at(static_cast<int>(state)) == state_of(capture, *history, state));
    }
  }
}

TEST_CASE("the layout places every box of every state, and its ways belong to edges that were sent") {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    toy::Builder builder;
    toy::fill_with_random_pass(builder, seed);
    const auto history = build_history(builder.capture, builder.pass(), {});
    REQUIRE(history);
    const std::uint32_t last = history->state_count - 1;
    const EpochLayout layout = lay_out_states(*history, 0, last, {});
    SourceLines sources({.enabled = false, .root = ""});
    PassWriter writer(builder.capture, builder.pass(), sources);
    const json event = json::parse(writer.layout(*history, layout, {LayoutKind::kEpoch, 1}));
    const std::set<std::size_t> placed(event["id"].begin(), event["id"].end());
    for (std::uint32_t state = 0; state <= last; ++state) {
      for (const auto& [id, colour, label, inlined, ref] : state_of(builder.capture, *history, state).nodes)
        CHECK(((inlined != 0) || placed.contains(static_cast<std::size_t>(id))));
    }
    for (const json& edge : event["edges"]["edge"]) CHECK(edge < history->edges.size());
    for (std::size_t i = 0; i < event["id"].size(); ++i) {
      CHECK(event["x"][i].get<double>() + event["w"][i].get<double>() <= event["width"].get<double>() + 0.2);
      CHECK(event["y"][i].get<double>() + event["h"][i].get<double>() <= event["height"].get<double>() + 0.2);
    }
  }
}

}  // namespace vizd::pass_json_test
