// HistoryIndex: ways into a History that its own order does not give: the edges of a source, the edges of a user, and
// what each state touched. Built once a history, O(nodes + versions + edges); then any thread may read it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rewrite/history.h"

namespace vizd {

enum class EdgeId : std::uint32_t {};

class HistoryIndex {
 public:
  explicit HistoryIndex(const History& history);
  // At most what an index of the history takes.
  static std::size_t memory_bytes(const History& history);

  // Edges, of any state, that leave a source or enter a user; those of a user by port, then born.
  std::span<const EdgeId> edges_of_source(NodeId node) const { return row(by_source_, index(node)); }
  std::span<const EdgeId> edges_of_user(NodeId node) const { return row(by_user_, index(node)); }
  // Nodes that were born, died, took a new label or gained or lost an edge at this state; each once, by id.
  std::span<const NodeId> touched_at(std::uint32_t state) const { return row(touched_, state); }

 private:
  template <typename Id>
  struct Rows {
    std::vector<std::uint32_t> first;  // one more than there are rows
    std::vector<Id> items;
  };
  template <typename Id>
  static std::span<const Id> row(const Rows<Id>& rows, std::size_t i) {
    return std::span(rows.items).subspan(rows.first[i], rows.first[i + 1] - rows.first[i]);
  }
  template <typename Id>
  static Rows<Id> group(std::size_t row_count, const std::vector<std::pair<std::uint32_t, Id>>& pairs);

  Rows<EdgeId> by_source_, by_user_;
  Rows<NodeId> touched_;
};

inline bool lives_at(std::uint32_t born, std::uint32_t died, std::uint32_t state) {
  return born <= state && state < died;
}

// The version of a node that holds at a state at which it lives.
const NodeVersion& version_at(const History& history, NodeId node, std::uint32_t state);

// The root at a state.
NodeId root_at(const History& history, std::uint32_t state);

}  // namespace vizd
