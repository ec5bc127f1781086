#include "rewrite/history_index.h"

#include <algorithm>
#include <utility>

namespace vizd {

// A counting sort by row; equal pairs must not occur twice in a row's neighbourhood (callers make them unique).
template <typename Id>
HistoryIndex::Rows<Id> HistoryIndex::group(std::size_t row_count,
                                           const std::vector<std::pair<std::uint32_t, Id>>& pairs) {
  Rows<Id> rows;
  rows.first.assign(row_count + 1, 0);
  for (const auto& [r, id] : pairs) ++rows.first[r + 1];
  for (std::size_t r = 0; r < row_count; ++r) rows.first[r + 1] += rows.first[r];
  rows.items.resize(pairs.size());
  std::vector<std::uint32_t> next(rows.first.begin(), rows.first.end() - 1);
  for (const auto& [r, id] : pairs) rows.items[next[r]++] = id;
  return rows;
}

HistoryIndex::HistoryIndex(const History& history) {
  std::vector<std::pair<std::uint32_t, EdgeId>> sources, users;
  std::vector<std::pair<std::uint32_t, NodeId>> touched;
  const auto touch = [&](std::uint32_t state, NodeId node) {
    if (state < history.state_count) touched.emplace_back(state, node);
  };
  for (std::size_t e = 0; e < history.edges.size(); ++e) {
    const HistoryEdge& edge = history.edges[e];
    sources.emplace_back(static_cast<std::uint32_t>(edge.source), to_id<EdgeId>(e));
    users.emplace_back(static_cast<std::uint32_t>(edge.user), to_id<EdgeId>(e));
    for (const std::uint32_t state : {edge.born, edge.died}) {
      touch(state, edge.source);
      touch(state, edge.user);
    }
  }
  for (std::size_t n = 0; n < history.nodes.size(); ++n) {
    const HistoryNode& node = history.nodes[n];
    touch(node.born, to_id<NodeId>(n));
    touch(node.died, to_id<NodeId>(n));
    for (std::uint32_t v = 0; v < node.version_count; ++v) {
      touch(history.versions[node.first_version + v].state, to_id<NodeId>(n));
    }
  }
  std::ranges::sort(touched);
  touched.erase(std::ranges::unique(touched).begin(), touched.end());
  by_source_ = group(history.nodes.size(), sources);
  by_user_ = group(history.nodes.size(), users);
  touched_ = group(history.state_count, touched);
}

std::size_t HistoryIndex::memory_bytes(const History& history) {
  const std::size_t rows = 2 * history.nodes.size() + history.state_count + 3;
  const std::size_t touched = 4 * history.edges.size() + 2 * history.nodes.size() + history.versions.size();
  return rows * sizeof(std::uint32_t) + (2 * history.edges.size() + touched) * sizeof(std::uint32_t);
}

const NodeVersion& version_at(const History& history, NodeId node, std::uint32_t state) {
  const HistoryNode& n = history.nodes[index(node)];
  const auto versions = std::span(history.versions).subspan(n.first_version, n.version_count);
  const auto after = std::ranges::upper_bound(versions, state, {}, &NodeVersion::state);
  return after == versions.begin() ? versions.front() : *(after - 1);
}

NodeId root_at(const History& history, std::uint32_t state) {
  const auto after = std::ranges::upper_bound(history.roots, state, {}, &RootVersion::state);
  return after == history.roots.begin() ? history.roots.front().root : (after - 1)->root;
}

}  // namespace vizd
