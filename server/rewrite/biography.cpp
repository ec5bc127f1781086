#include "rewrite/biography.h"

#include <algorithm>

namespace vizd {
namespace {

// The node that is this op of the capture at a state, or none.
NodeId node_of(const Capture& capture, const History& history, std::uint32_t state, OpId op) {
  const StateGraph at = graph_at(capture, history, state);
  const auto found = std::ranges::find(at.op_of_node, op);
  return found == at.op_of_node.end() ? NodeId{kNoId}
                                      : to_id<NodeId>(static_cast<std::size_t>(found - at.op_of_node.begin()));
}

}  // namespace

Biography biography_of(const Capture& capture, const Pass& pass, const History& history, NodeId node) {
  const HistoryNode& life = history.nodes[index(node)];
  const auto matches = capture.rewrites.matches_of(pass);
  Biography result;
  if (life.born > 0) result.made_from = node_of(capture, history, life.born - 1, matches[life.born - 1].before);
  if (life.died < history.state_count)
    result.replaced_by = node_of(capture, history, life.died, matches[life.died - 1].after);
  for (std::size_t n = 0; n < history.nodes.size(); ++n) {
    if (history.nodes[n].merged_into == node) result.absorbed.push_back(to_id<NodeId>(n));
  }
  return result;
}

}  // namespace vizd
