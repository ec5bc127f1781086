#include "layout/acyclic_graph.h"

#include <algorithm>

namespace vizd {
namespace {

bool names_two_nodes(const LayoutEdge& edge, std::uint32_t node_count) {
  return edge.source < node_count && edge.user < node_count && edge.source != edge.user;
}

// Depth first from users to sources, in operand order, from the sinks and then from what only cycles reach. An edge to
// a node that is still open closes a cycle. The order in which nodes are left has sources first.
void find_back_edges(std::span<const LayoutEdge> edges, const Adjacency& by_user, AcyclicGraph& graph) {
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> state(graph.node_count, kNew);
  std::vector<std::uint32_t> next(by_user.first.begin(), by_user.first.end() - 1);
  std::vector<std::uint32_t> stack;
  const auto visit = [&](std::uint32_t root) {
    if (state[root] != kNew) return;
    state[root] = kOpen;
    stack.push_back(root);
    while (!stack.empty()) {
      const std::uint32_t user = stack.back();
      if (next[user] == by_user.first[user + 1]) {
        state[user] = kDone;
        graph.topological.push_back(user);
        stack.pop_back();
        continue;
      }
      const std::uint32_t edge = by_user.items[next[user]++];
      const std::uint32_t source = edges[edge].source;
      if (state[source] == kOpen) graph.reversed[edge] = true;
      if (state[source] != kNew) continue;
      state[source] = kOpen;
      stack.push_back(source);
    }
  };
  std::vector<bool> has_user(graph.node_count, false);
  for (const std::uint32_t edge : by_user.items) has_user[edges[edge].source] = true;
  for (std::uint32_t node = 0; node < graph.node_count; ++node) {
    if (!has_user[node]) visit(node);
  }
  for (std::uint32_t node = 0; node < graph.node_count; ++node) visit(node);
}

void join_parallel_edges(std::span<const LayoutEdge> edges, const Adjacency& by_user, AcyclicGraph& graph) {
  const auto head_of = [&](std::uint32_t edge) { return graph.reversed[edge] ? edges[edge].source : edges[edge].user; };
  const Adjacency by_head = group_by(
      graph.node_count, by_user.items.size(), [&](std::uint32_t i) { return head_of(by_user.items[i]); },
      [&](std::uint32_t i) { return by_user.items[i]; });
  std::vector<std::uint32_t> last_arc(graph.node_count, kNoArc);  // of each tail
  for (std::uint32_t head = 0; head < graph.node_count; ++head) {
    for (const std::uint32_t edge : by_head.of(head)) {
      const std::uint32_t tail = head == edges[edge].user ? edges[edge].source : edges[edge].user;
      std::uint32_t& arc = last_arc[tail];
      if (arc == kNoArc || graph.arcs[arc].head != head) {
        arc = static_cast<std::uint32_t>(graph.arcs.size());
        graph.arcs.push_back({tail, head, graph.reversed[edge] ? kBackPort : edges[edge].port});
      }
      graph.arc_of_edge[edge] = arc;
    }
  }
}

}  // namespace

AcyclicGraph make_acyclic(std::uint32_t node_count, std::span<const LayoutEdge> edges) {
  AcyclicGraph graph;
  graph.node_count = node_count;
  graph.arc_of_edge.assign(edges.size(), kNoArc);
  graph.reversed.assign(edges.size(), false);
  graph.topological.reserve(node_count);

  Adjacency by_user = group_by(node_count, edges.size(), [&](std::uint32_t edge) {
    return names_two_nodes(edges[edge], node_count) ? edges[edge].user : node_count;
  });
  for (std::uint32_t user = 0; user < node_count; ++user) {
    const auto list = by_user.of(user);
    std::stable_sort(list.begin(), list.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return edges[a].port < edges[b].port; });
  }
  find_back_edges(edges, by_user, graph);
  join_parallel_edges(edges, by_user, graph);
  graph.in = group_by(node_count, graph.arcs.size(), [&](std::uint32_t arc) { return graph.arcs[arc].head; });
  graph.out = group_by(node_count, graph.arcs.size(), [&](std::uint32_t arc) { return graph.arcs[arc].tail; });
  return graph;
}

}  // namespace vizd
