#include "rewrite/live_boxes.h"

#include <numeric>

namespace vizd {

LiveBoxes::LiveBoxes(const History& history, std::uint32_t state, std::span<const NodeId> with_excluded)
    : is_box_(history.nodes.size(), false) {
  for (std::size_t n = 0; n < history.nodes.size(); ++n) {
    const HistoryNode& node = history.nodes[n];
    is_box_[n] = lives_at(node.born, node.died, state) && !version_at(history, to_id<NodeId>(n), state).inlined;
    size_ += is_box_[n];
  }
  std::vector<bool> shows_all(history.nodes.size(), false), is_excluded(history.nodes.size(), false);
  for (const NodeId node : with_excluded) shows_all[index(node)] = true;
  if (!with_excluded.empty()) add_excluded(history, state, shows_all);
  for (const NodeId node : excluded_) is_excluded[index(node)] = true;
  std::vector<EdgeId> live;
  for (std::size_t e = 0; e < history.edges.size(); ++e) {
    const HistoryEdge& edge = history.edges[e];
    if (!lives_at(edge.born, edge.died, state) || !is_box(edge.source) || !is_box(edge.user)) continue;
    if (!is_excluded[index(edge.source)] || shows_all[index(edge.user)]) live.push_back(to_id<EdgeId>(e));
  }
  by_user_ = group(history, live, &HistoryEdge::user);
  by_source_ = group(history, live, &HistoryEdge::source);
}

void LiveBoxes::add_excluded(const History& history, std::uint32_t state, const std::vector<bool>& shows_all) {
  bool is_more = true;
  while (is_more) {
    is_more = false;
    for (const HistoryEdge& edge : history.edges) {
      if (!shows_all[index(edge.user)] || is_box(edge.source) || !is_box(edge.user)) continue;
      if (!lives_at(edge.born, edge.died, state)) continue;
      is_box_[index(edge.source)] = true;
      excluded_.push_back(edge.source);
      ++size_;
      is_more = true;
    }
  }
}

LiveBoxes::Rows LiveBoxes::group(const History& history, const std::vector<EdgeId>& live,
                                 NodeId HistoryEdge::*end) const {
  Rows rows;
  rows.first.assign(history.nodes.size() + 1, 0);
  for (const EdgeId e : live) ++rows.first[index(history.edges[index(e)].*end) + 1];
  std::partial_sum(rows.first.begin(), rows.first.end(), rows.first.begin());
  rows.edges.resize(live.size());
  std::vector<std::uint32_t> next(rows.first.begin(), rows.first.end() - 1);
  for (const EdgeId e : live) rows.edges[next[index(history.edges[index(e)].*end)]++] = e;
  return rows;
}

}  // namespace vizd
