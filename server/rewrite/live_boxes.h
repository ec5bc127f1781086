// LiveBoxes: the graph of one state as drawn: its boxes and the edges between them, by user and by source. Internal to
// views of a state; plain data, built in one pass over the history.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rewrite/history.h"
#include "rewrite/history_index.h"

namespace vizd {

class LiveBoxes {
 public:
  // with_excluded: nodes whose sources are boxes too where they would only be lines in their users' boxes. Such a box
  // has edges to these nodes alone.
  LiveBoxes(const History& history, std::uint32_t state, std::span<const NodeId> with_excluded = {});

  bool is_box(NodeId node) const { return is_box_[index(node)]; }
  // Returns the nodes that are boxes only as sources of with_excluded.
  const std::vector<NodeId>& excluded() const { return excluded_; }
  std::size_t size() const { return size_; }
  // Edges between boxes: into a user by port, and out of a source.
  std::span<const EdgeId> into(NodeId user) const { return row(by_user_, user); }
  std::span<const EdgeId> out_of(NodeId source) const { return row(by_source_, source); }

 private:
  struct Rows {
    std::vector<std::uint32_t> first;  // by node, and one more
    std::vector<EdgeId> edges;
  };
  static std::span<const EdgeId> row(const Rows& rows, NodeId node) {
    const std::uint32_t first = rows.first[index(node)];
    return std::span(rows.edges).subspan(first, rows.first[index(node) + 1] - first);
  }
  Rows group(const History& history, const std::vector<EdgeId>& live, NodeId HistoryEdge::*end) const;

  // Makes boxes of what nodes read that show all, of one that is made so too. shows_all: by node.
  void add_excluded(const History& history, std::uint32_t state, const std::vector<bool>& shows_all);

  std::vector<bool> is_box_;
  std::vector<NodeId> excluded_;
  std::size_t size_ = 0;
  Rows by_user_;
  Rows by_source_;
};

}  // namespace vizd
