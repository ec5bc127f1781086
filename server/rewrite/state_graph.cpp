// graph_at, add_state: a state's ops from its nodes' and edges' lives.
#include <algorithm>

#include "base/assert.h"
#include "rewrite/history.h"
#include "rewrite/history_index.h"

namespace vizd {
namespace {

// The edges of each user that live at one state, by port.
struct LiveEdges {
  std::vector<std::uint32_t> first;  // by node, and one more
  std::vector<NodeId> sources;
};

LiveEdges live_edges(const History& history, std::uint32_t state) {
  LiveEdges live;
  live.first.reserve(history.nodes.size() + 1);
  live.sources.reserve(history.edges.size());
  for (const HistoryEdge& edge : history.edges) {
    if (!lives_at(edge.born, edge.died, state)) continue;
    while (live.first.size() <= index(edge.user)) live.first.push_back(static_cast<std::uint32_t>(live.sources.size()));
    live.sources.push_back(edge.source);
  }
  live.first.resize(history.nodes.size() + 1, static_cast<std::uint32_t>(live.sources.size()));
  return live;
}

}  // namespace

OpId add_state(OpGraph& graph, const History& history, std::uint32_t state, std::vector<OpId>& op_of_node) {
  VIZD_ASSERT(state < history.state_count);
  const LiveEdges edges = live_edges(history, state);
  op_of_node.assign(history.nodes.size(), OpId{kNoId});
  const NodeId root = root_at(history, state);
  std::vector<OpId> src;
  std::vector<std::pair<NodeId, std::uint32_t>> stack{{root, edges.first[index(root)]}};
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    const std::uint32_t end = edges.first[index(node) + 1];
    while (next < end && op_of_node[index(edges.sources[next])] != OpId{kNoId}) ++next;
    if (next < end) {
      const NodeId source = edges.sources[next];
      stack.emplace_back(source, edges.first[index(source)]);
      continue;
    }
    src.clear();
    for (std::uint32_t i = edges.first[index(node)]; i < end; ++i) src.push_back(op_of_node[index(edges.sources[i])]);
    const NodeVersion& version = version_at(history, node, state);
    op_of_node[index(node)] = graph.add(version.kind, version.dtype, src, version.arg, version.tag);
    stack.pop_back();
  }
  return op_of_node[index(root)];
}

StateGraph graph_at(const Capture& capture, const History& history, std::uint32_t state) {
  StateGraph result{std::make_unique<OpGraph>(&capture.ops), OpId{kNoId}, {}};
  result.root = add_state(*result.graph, history, state, result.op_of_node);
  return result;
}

}  // namespace vizd
