#include "layout/ranks.h"

#include <algorithm>
#include <utility>

#include "layout/network_simplex.h"
#include "layout/rank_reduction.h"

namespace vizd {
namespace {

// The cost of one more layer to an arc. A source's trunk serves all its users, so the more users there are, the less
// it matters how far away each lies; and a hub's arcs are not drawn as lines at all. (If every arc cost the same, nodes
// would pile up beside a source that they share, each with a long line of its own to where it is used.)
constexpr std::int32_t kWholeLine = 16;
constexpr std::int32_t kLeastShare = 2;
constexpr std::int32_t kStub = 1;

std::int32_t weight_of(const AcyclicGraph& graph, const Arc& arc, std::uint32_t max_fan_out) {
  const std::size_t users = graph.out.of(arc.tail).size();
  if (users > max_fan_out) return kStub;
  return std::max(kLeastShare, kWholeLine / static_cast<std::int32_t>(users));
}

RankReduction make_problem(const AcyclicGraph& graph, std::uint32_t max_fan_out) {
  std::vector<RankArc> arcs;
  arcs.reserve(graph.arcs.size());
  for (const Arc& arc : graph.arcs) arcs.push_back({arc.tail, arc.head, 1, weight_of(graph, arc, max_fan_out)});
  return {std::move(arcs), graph.topological};
}

// The least feasible ranks that are not below those to start from. Arcs are grouped by head and heads ascend.
std::vector<std::int32_t> feasible_ranks(const RankReduction& reduction, std::span<const std::uint32_t> start) {
  std::vector<std::int32_t> ranks(reduction.nodes().size(), 0);
  if (!start.empty()) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const std::uint32_t rank = start[reduction.nodes()[i]];
      if (rank != kNoRank) ranks[i] = static_cast<std::int32_t>(std::min<std::size_t>(rank, start.size()));
    }
  }
  for (const RankArc& arc : reduction.arcs()) {
    ranks[arc.head] = std::max(ranks[arc.head], ranks[arc.tail] + arc.length);
  }
  return ranks;
}

// Moves each component of the graph so that it starts at rank 0.
void start_components_at_zero(const AcyclicGraph& graph, std::vector<std::int32_t>& ranks) {
  std::vector<bool> seen(graph.node_count, false);
  std::vector<std::uint32_t> component;
  const auto reach = [&](std::uint32_t node) {
    if (seen[node]) return;
    seen[node] = true;
    component.push_back(node);
  };
  for (std::uint32_t root = 0; root < graph.node_count; ++root) {
    if (seen[root]) continue;
    component.clear();
    reach(root);
    std::int32_t least = ranks[root];
    for (std::size_t i = 0; i < component.size(); ++i) {
      least = std::min(least, ranks[component[i]]);
      for (const std::uint32_t arc : graph.in.of(component[i])) reach(graph.arcs[arc].tail);
      for (const std::uint32_t arc : graph.out.of(component[i])) reach(graph.arcs[arc].head);
    }
    for (const std::uint32_t node : component) ranks[node] -= least;
  }
}

}  // namespace

Ranks assign_ranks(const AcyclicGraph& graph, const RankOptions& options) {
  const RankReduction reduction = make_problem(graph, options.max_fan_out);
  NetworkSimplex simplex(reduction.arcs(), feasible_ranks(reduction, options.start));
  Ranks out;
  out.optimal = simplex.run(options.steps, options.stop);
  std::vector<std::int32_t> ranks = reduction.expand(simplex.ranks());
  start_components_at_zero(graph, ranks);
  out.of.reserve(ranks.size());
  for (const std::int32_t rank : ranks) {
    out.of.push_back(static_cast<std::uint32_t>(rank));
    out.count = std::max(out.count, static_cast<std::uint32_t>(rank) + 1);
  }
  return out;
}

std::int64_t rank_cost(const AcyclicGraph& graph, std::span<const std::uint32_t> ranks, std::uint32_t max_fan_out) {
  std::int64_t cost = 0;
  for (const Arc& arc : graph.arcs) {
    cost += std::int64_t{weight_of(graph, arc, max_fan_out)} * (ranks[arc.head] - ranks[arc.tail]);
  }
  return cost;
}

}  // namespace vizd
