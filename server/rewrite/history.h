// History: one pass's whole life: its nodes and edges with the states between which they live, and every version of a
// node's label. The one structure behind scrubbing, "who made / who removed this", statistics, search and diffs.
//
// A state is a number of matches applied: state 0 is the pass's input graph, state k the graph after match k (from 1).
// A node is the logical node a person follows: an op re-created only because something under it changed is the same
// node (server/rewrite/README.md, "Which node an op is"). Lives are [born, died) in states; kForever where it lives to
// the end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/capture.h"

namespace vizd {

enum class NodeId : std::uint32_t {};

inline constexpr std::uint32_t kForever = 0xFFFFFFFFu;

struct HistoryNode {
  std::uint32_t born = 0;
  std::uint32_t died = kForever;
  std::uint32_t first_version = 0;  // its versions lie one after another, by state
  std::uint32_t version_count = 0;
  NodeId merged_into{kNoId};  // where it died because it became equal to another node
};

// A node as it is from a state on. Everything the op has besides its sources (kind, dtype, arg, tag) is enough to make
// the op again from its sources' ops: see graph_at().
struct NodeVersion {
  std::uint32_t state = 0;
  std::uint16_t kind = 0;
  bool inlined = false;  // shown in its users' labels only
  ValueId dtype{};
  ValueId arg{};
  ValueId tag{};
  std::uint32_t label = 0;  // index into History::labels
  ContextId ref{kNoId};
};

// Source port of the user: sources[port] of user is source while born <= state < died.
struct HistoryEdge {
  NodeId source{};
  NodeId user{};
  std::uint32_t port = 0;
  std::uint32_t born = 0;
  std::uint32_t died = kForever;
};

struct RootVersion {
  std::uint32_t state = 0;
  NodeId root{};
};

struct History {
  std::uint32_t state_count = 1;  // matches + 1
  std::vector<HistoryNode> nodes;
  std::vector<NodeVersion> versions;
  std::vector<HistoryEdge> edges;  // by user, then port, then born
  std::vector<RootVersion> roots;  // by state; the first is of state 0
  std::vector<std::string> labels;
  // States whose replay raised, as the reference prints it; the graph there is one node with this text.
  std::vector<std::pair<std::uint32_t, std::string>> errors;

  std::size_t memory_bytes() const;
};

struct HistoryOptions {
  std::stop_token stop;                                                // ends early with an error of kind kBusy
  std::function<void(std::uint32_t done, std::uint32_t of)> progress;  // called now and then, on the same thread
  bool labels = true;  // without: no labels, refs, nor what is inlined, in a fraction of the time
};

// Replays a pass. Costs what the matches touch, not matches times graph. Any thread; the capture is only read.
Result<History> build_history(const Capture& capture, const Pass& pass, const HistoryOptions& options);

// The ops of one state, made again in a graph that stands on the capture's: exactly what the reference has there.
// Costs one pass over the graph.
struct StateGraph {
  std::unique_ptr<OpGraph> graph;
  OpId root{};
  std::vector<OpId> op_of_node;  // by NodeId; kNoId where the node does not live at this state
};
StateGraph graph_at(const Capture& capture, const History& history, std::uint32_t state);
// The same into a graph of the caller's, which stands on the capture's; returns the root. States of a pass are equal
// graphs exactly where their roots in one graph are equal.
OpId add_state(OpGraph& graph, const History& history, std::uint32_t state, std::vector<OpId>& op_of_node);

}  // namespace vizd
