#include "rewrite/match_detail.h"

#include <fmt/core.h>

#include <unordered_map>

#include "rewrite/history_index.h"

namespace vizd {
namespace {

Error no_state(std::uint32_t state, std::uint32_t count) {
  return {ErrorKind::kNotFound, fmt::format("there is no state {}; the pass has {}", state, count), ""};
}

// The ops that the graph shows of those that the match put in place.
std::vector<NodeId> changed_nodes(const Capture& capture, const History& history, std::uint32_t state,
                                  std::span<const OpId> put) {
  const StateGraph at = graph_at(capture, history, state);
  std::unordered_map<OpId, NodeId> shown;
  for (std::size_t i = 0; i < at.op_of_node.size(); ++i) {
    const auto node = to_id<NodeId>(i);
    if (at.op_of_node[i] == OpId{kNoId} || version_at(history, node, state).inlined) continue;
    shown[at.op_of_node[i]] = node;
  }
  std::vector<NodeId> changed;
  for (const OpId op : put) {
    if (const auto found = shown.find(op); found != shown.end()) changed.push_back(found->second);
  }
  return changed;
}

}  // namespace

Result<MatchDetail> match_detail(const Capture& capture, const Pass& pass, const History& history, std::uint32_t state,
                                 const Budget& budget) {
  if (state == 0 || state >= history.state_count) return no_state(state, history.state_count);
  MatchDetail detail;
  detail.match = capture.rewrites.matches_of(pass)[state - 1];
  const auto analysis = capture.dialect->analyse(capture.ops);
  const PrintedGraph before = printed_graph(capture.ops, *analysis, detail.match.before);
  const PrintedGraph after = printed_graph(capture.ops, *analysis, detail.match.after);
  detail.before = before.text();
  detail.after = after.text();
  detail.diff = structural_diff(before, after, budget);
  detail.changed = changed_nodes(capture, history, state, ops_put(capture, pass, detail.match));
  return detail;
}

std::vector<OpId> ops_put(const Capture& capture, const Pass& pass, const Match& match) {
  std::vector<OpId> put = toposort(capture.ops, match.after);
  if (!pass.whole_graphs) return put;
  std::vector<bool> was_there(capture.ops.size());
  for (const OpId op : toposort(capture.ops, match.before)) was_there[index(op)] = true;
  std::erase_if(put, [&](OpId op) { return was_there[index(op)]; });
  return put;
}

Result<PrintedGraph> state_lines(const Capture& capture, const History& history, std::uint32_t state) {
  if (state >= history.state_count) return no_state(state, history.state_count);
  const StateGraph at = graph_at(capture, history, state);
  return printed_graph(*at.graph, *capture.dialect->analyse(*at.graph), at.root);
}

Result<std::string> state_text(const Capture& capture, const History& history, std::uint32_t state) {
  if (state >= history.state_count) return no_state(state, history.state_count);
  const StateGraph at = graph_at(capture, history, state);
  return capture.dialect->analyse(*at.graph)->print(at.root);
}

}  // namespace vizd
