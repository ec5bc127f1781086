#include "rewrite/state_diff.h"

#include <algorithm>
#include <deque>
#include <tuple>
#include <unordered_map>

#include "rewrite/history_index.h"

namespace vizd {
namespace {

bool lives(const History& history, std::size_t node, std::uint32_t state) {
  return lives_at(history.nodes[node].born, history.nodes[node].died, state);
}

bool same_op(const NodeVersion& a, const NodeVersion& b) {
  return std::tie(a.kind, a.dtype, a.arg, a.tag) == std::tie(b.kind, b.dtype, b.arg, b.tag);
}

// By node: whether it reads something else in the one state than in the other. Edges lie by user, then port.
std::vector<bool> reads_changed(const History& history, std::uint32_t from, std::uint32_t to) {
  std::vector<bool> changed(history.nodes.size(), false);
  const auto& edges = history.edges;
  for (std::size_t begin = 0; begin < edges.size();) {
    NodeId read_from{kNoId}, read_to{kNoId};
    std::size_t end = begin;
    for (; end < edges.size() && edges[end].user == edges[begin].user && edges[end].port == edges[begin].port; ++end) {
      if (lives_at(edges[end].born, edges[end].died, from)) read_from = edges[end].source;
      if (lives_at(edges[end].born, edges[end].died, to)) read_to = edges[end].source;
    }
    if (read_from != read_to) changed[index(edges[begin].user)] = true;
    begin = end;
  }
  return changed;
}

// One of two states whose nodes are to be paired.
class Side {
 public:
  explicit Side(const StateOf& at) : history_(at.history), state_(at.state), partner_(at.history.nodes.size(), kNone) {
    sources_.resize(history_.nodes.size());
    users_.resize(history_.nodes.size());
    for (const HistoryEdge& edge : history_.edges) {
      if (!lives_at(edge.born, edge.died, state_)) continue;
      sources_[index(edge.user)].push_back(edge.source);
      users_[index(edge.source)].emplace_back(edge.port, edge.user);
    }
  }

  static constexpr NodeId kNone{kNoId};
  NodeId root() const { return root_at(history_, state_); }
  std::uint16_t kind(NodeId node) const { return version_at(history_, node, state_).kind; }
  const std::vector<NodeId>& sources(NodeId node) const { return sources_[index(node)]; }
  const std::vector<std::pair<std::uint32_t, NodeId>>& users(NodeId node) const { return users_[index(node)]; }
  bool is_free(NodeId node) const { return partner_[index(node)] == kNone; }
  void pair(NodeId node, NodeId with) { partner_[index(node)] = with; }

  std::vector<NodeId> free_nodes() const {
    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < partner_.size(); ++n) {
      if (lives(history_, n, state_) && partner_[n] == kNone) nodes.push_back(to_id<NodeId>(n));
    }
    return nodes;
  }

 private:
  const History& history_;
  std::uint32_t state_;
  std::vector<NodeId> partner_;  // by node
  std::vector<std::vector<NodeId>> sources_;
  std::vector<std::vector<std::pair<std::uint32_t, NodeId>>> users_;  // with the port at which they read
};

class Pairing {
 public:
  Pairing(const StateOf& from, const StateOf& to) : from_(from), to_(to) {}

  // Pairs the nodes that became the same op of one graph.
  void pair_equal(const std::vector<OpId>& ops_from, const std::vector<OpId>& ops_to) {
    std::unordered_map<OpId, NodeId> node_of;
    for (std::size_t n = 0; n < ops_to.size(); ++n) {
      if (ops_to[n] != OpId{kNoId}) node_of.try_emplace(ops_to[n], to_id<NodeId>(n));
    }
    for (std::size_t n = 0; n < ops_from.size(); ++n) {
      if (ops_from[n] == OpId{kNoId}) continue;
      const auto found = node_of.find(ops_from[n]);
      if (found == node_of.end() || !to_.is_free(found->second)) continue;
      pair(to_id<NodeId>(n), found->second);
      diff_.same.emplace_back(to_id<NodeId>(n), found->second);
    }
  }

  // From the roots down and from pairs both ways.
  StateDiff spread(const Budget& budget) && {
    try_pair(from_.root(), to_.root());
    while (!waiting_.empty() && budget.goes_on()) {
      const auto [a, b] = waiting_.front();
      waiting_.pop_front();
      const auto &sources_a = from_.sources(a), &sources_b = to_.sources(b);
      for (std::size_t port = 0; port < std::min(sources_a.size(), sources_b.size()); ++port)
        try_pair(sources_a[port], sources_b[port]);
      pair_users(a, b);
    }
    diff_.only_from = from_.free_nodes();
    diff_.only_to = to_.free_nodes();
    std::ranges::sort(diff_.changed);
    return std::move(diff_);
  }

 private:
  void pair(NodeId a, NodeId b) {
    from_.pair(a, b);
    to_.pair(b, a);
    waiting_.emplace_back(a, b);
  }

  void try_pair(NodeId a, NodeId b) {
    if (!from_.is_free(a) || !to_.is_free(b) || from_.kind(a) != to_.kind(b)) return;
    pair(a, b);
    diff_.changed.emplace_back(a, b);
  }

  // Users of one port and kind, in order: those of each side lie in the order of their birth. A source that very many
  // read says little about which of them belong together, and is passed over.
  void pair_users(NodeId a, NodeId b) {
    constexpr std::size_t kMostUsers = 64;
    if (from_.users(a).size() > kMostUsers || to_.users(b).size() > kMostUsers) return;
    for (const auto& [port_a, user_a] : from_.users(a)) {
      for (const auto& [port_b, user_b] : to_.users(b)) {
        if (port_a == port_b) try_pair(user_a, user_b);
      }
    }
  }

  Side from_;
  Side to_;
  StateDiff diff_;
  std::deque<std::pair<NodeId, NodeId>> waiting_;
};

}  // namespace

StateDiff diff_states(const History& history, std::uint32_t from, std::uint32_t to) {
  StateDiff diff;
  const std::vector<bool> rewired = reads_changed(history, from, to);
  for (std::size_t n = 0; n < history.nodes.size(); ++n) {
    const auto node = to_id<NodeId>(n);
    const bool is_from = lives(history, n, from), is_to = lives(history, n, to);
    if (is_from && is_to) {
      const bool same = !rewired[n] && same_op(version_at(history, node, from), version_at(history, node, to));
      (same ? diff.same : diff.changed).emplace_back(node, node);
    } else if (is_from) {
      diff.only_from.push_back(node);
    } else if (is_to) {
      diff.only_to.push_back(node);
    }
  }
  return diff;
}

StateDiff diff_passes(const Capture& capture, const StateOf& from, const StateOf& to, const Budget& budget) {
  OpGraph graph(&capture.ops);
  std::vector<OpId> ops_from, ops_to;
  add_state(graph, from.history, from.state, ops_from);
  add_state(graph, to.history, to.state, ops_to);
  Pairing pairing(from, to);
  pairing.pair_equal(ops_from, ops_to);
  return std::move(pairing).spread(budget);
}

}  // namespace vizd
