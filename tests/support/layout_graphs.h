// Graphs to lay out in tests and benchmarks: made from a seed, the same on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "layout/layout.h"

namespace vizd {

struct TestGraph {
  std::vector<LayoutNode> nodes;
  std::vector<LayoutEdge> edges;

  std::uint32_t add_node(float width_px = 100, float height_px = 40) {
    nodes.push_back({width_px, height_px});
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  void add_edge(std::uint32_t source, std::uint32_t user, std::uint32_t port = 0) {
    edges.push_back({source, user, port});
  }
};

// std::uniform_int_distribution differs between libraries; this does not.
class TestRandom {
 public:
  explicit TestRandom(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_()) % limit; }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  std::mt19937 engine_;
};

// Any graph at all: loops, parallel edges, cycles.
inline TestGraph random_graph(std::uint32_t nodes, std::uint32_t edges, std::uint32_t seed) {
  TestRandom random(seed);
  TestGraph graph;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    graph.add_node(static_cast<float>(40 + random.below(200)), static_cast<float>(26 + 14 * random.below(6)));
  }
  for (std::uint32_t i = 0; i < edges; ++i) graph.add_edge(random.below(nodes), random.below(nodes), random.below(4));
  return graph;
}

// Edges lead from lower to higher numbers.
inline TestGraph random_acyclic_graph(std::uint32_t nodes, std::uint32_t edges, std::uint32_t seed) {
  TestGraph graph = random_graph(nodes, edges, seed);
  std::erase_if(graph.edges, [](const LayoutEdge& edge) { return edge.source == edge.user; });
  for (LayoutEdge& edge : graph.edges) {
    if (edge.source > edge.user) std::swap(edge.source, edge.user);
  }
  return graph;
}

// What compilers make: chains that merge with their neighbours, some long skips, a few sources that many read, one
// sink.
inline TestGraph compiler_graph(std::uint32_t nodes) {
  constexpr std::uint32_t kHubs = 3;
  TestRandom random(nodes);
  TestGraph graph;
  const auto lanes = std::max(4u, static_cast<std::uint32_t>(std::sqrt(nodes) / 1.5));
  const auto add = [&] {
    return graph.add_node(static_cast<float>(60 + 7 * random.below(20)), static_cast<float>(26 + 14 * random.below(4)));
  };
  for (std::uint32_t i = 0; i < kHubs; ++i) add();
  std::vector<std::uint32_t> tails;
  for (std::uint32_t i = 0; i < lanes; ++i) tails.push_back(add());
  while (graph.nodes.size() < nodes) {
    const std::uint32_t lane = random.below(lanes);
    const std::uint32_t node = add();
    std::uint32_t port = 0;
    graph.add_edge(tails[lane], node, port++);
    if (random.chance(42)) graph.add_edge(tails[std::min(lanes - 1, lane + random.below(3))], node, port++);
    if (random.chance(3)) graph.add_edge(random.below(node), node, port++);
    if (random.chance(10)) graph.add_edge(random.below(random.chance(60) ? 1 : kHubs), node, port++);
    tails[lane] = node;
  }
  std::vector<bool> used(graph.nodes.size(), false);
  for (const LayoutEdge& edge : graph.edges) used[edge.source] = true;
  const std::uint32_t sink = add();
  for (std::uint32_t node = 0, port = 0; node < sink; ++node) {
    if (!used[node]) graph.add_edge(node, sink, port++);
  }
  return graph;
}

}  // namespace vizd
