// Ranks: feasible always, optimal against all possible ranks on small graphs, and the steps to get there.
#include "layout/ranks.h"

#include <limits>

#include "layout/acyclic_graph.h"
#include "layout/network_simplex.h"
#include "layout/rank_reduction.h"
#include "support/catch.h"
#include "support/layout_graphs.h"

namespace vizd::ranks_test {
namespace {

constexpr std::uint64_t kEnough = 1'000'000'000;
constexpr std::uint32_t kFanOut = 64;

AcyclicGraph acyclic(const TestGraph& graph) {
  return make_acyclic(static_cast<std::uint32_t>(graph.nodes.size()), graph.edges);
}

bool feasible(const AcyclicGraph& graph, std::span<const std::uint32_t> ranks) {
  return std::all_of(graph.arcs.begin(), graph.arcs.end(),
                     [&](const Arc& arc) { return ranks[arc.tail] < ranks[arc.head]; });
}

// Tries every rank below limit for every node.
std::int64_t least_cost(const AcyclicGraph& graph, std::uint32_t limit) {
  std::vector<std::uint32_t> ranks(graph.node_count, 0);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (;;) {
    if (feasible(graph, ranks)) least = std::min(least, rank_cost(graph, ranks, kFanOut));
    std::size_t node = 0;
    while (node < ranks.size() && ++ranks[node] == limit) ranks[node++] = 0;
    if (node == ranks.size()) return least;
  }
}

}  // namespace

TEST_CASE("ranks are optimal on small graphs") {
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    CAPTURE(seed);
    const AcyclicGraph graph = acyclic(random_graph(2 + seed % 5, 1 + seed % 11, seed));
    const Ranks ranks = assign_ranks(graph, {kEnough, kFanOut, {}, {}});
    REQUIRE(ranks.optimal);
    REQUIRE(feasible(graph, ranks.of));
    CHECK(rank_cost(graph, ranks.of, kFanOut) == least_cost(graph, graph.node_count));
  }
}

TEST_CASE("leaving fixed nodes out of the network simplex costs nothing") {
  std::size_t left_out = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const AcyclicGraph graph = acyclic(random_acyclic_graph(60, 60 + 4 * seed, seed));
    std::vector<RankArc> arcs;
    for (const Arc& arc : graph.arcs) {
      arcs.push_back({arc.tail, arc.head, static_cast<std::int32_t>(1 + (arc.tail + arc.head) % 3),
                      static_cast<std::int32_t>((arc.tail * 7 + arc.head) % 5)});
    }
    const auto cost = [&](const std::vector<std::int32_t>& ranks) {
      std::int64_t sum = 0;
      for (const RankArc& arc : arcs) {
        REQUIRE(ranks[arc.head] - ranks[arc.tail] >= arc.length);
        sum += std::int64_t{arc.weight} * (ranks[arc.head] - ranks[arc.tail]);
      }
      return sum;
    };
    const auto longest_paths = [](std::size_t nodes, std::span<const RankArc> by_head) {
      std::vector<std::int32_t> ranks(nodes, 0);
      for (const RankArc& arc : by_head) ranks[arc.head] = std::max(ranks[arc.head], ranks[arc.tail] + arc.length);
      return ranks;
    };
    // Nodes are numbered from sources to users here, so arcs by head come in a fit order.
    NetworkSimplex whole(arcs, longest_paths(graph.node_count, arcs));
    REQUIRE(whole.run(kEnough, {}));

    const RankReduction reduction(arcs, graph.topological);
    NetworkSimplex reduced(reduction.arcs(), longest_paths(reduction.nodes().size(), reduction.arcs()));
    REQUIRE(reduced.run(kEnough, {}));
    left_out += graph.node_count - reduction.nodes().size();
    CHECK(cost(reduction.expand(reduced.ranks())) == cost(whole.ranks()));
  }
  CHECK(left_out > 400);
}

TEST_CASE("ranks are feasible at any budget, never get worse, and go on from where they stopped") {
  const AcyclicGraph graph = acyclic(compiler_graph(600));
  const Ranks optimal = assign_ranks(graph, {kEnough, kFanOut, {}, {}});
  REQUIRE(optimal.optimal);
  const std::int64_t least = rank_cost(graph, optimal.of, kFanOut);

  Ranks ranks = assign_ranks(graph, {0, kFanOut, {}, {}});
  CHECK_FALSE(ranks.optimal);
  std::uint64_t steps = 1'000;
  std::int64_t last = rank_cost(graph, ranks.of, kFanOut);
  CHECK(last > least);
  while (!ranks.optimal) {
    REQUIRE(feasible(graph, ranks.of));
    ranks = assign_ranks(graph, {steps *= 2, kFanOut, ranks.of, {}});
    const std::int64_t now = rank_cost(graph, ranks.of, kFanOut);
    CHECK(now <= last);
    last = now;
    REQUIRE(steps < kEnough);
  }
  CHECK(last == least);
}

TEST_CASE("ranks to start from may be anything") {
  const AcyclicGraph graph = acyclic(random_acyclic_graph(50, 100, 7));
  const std::int64_t least = rank_cost(graph, assign_ranks(graph, {kEnough, kFanOut, {}, {}}).of, kFanOut);
  for (const std::uint32_t rank : {0u, 17u, kNoRank, kNoRank - 1}) {
    std::vector<std::uint32_t> start(50, rank);
    start[3] = 40;
    const Ranks ranks = assign_ranks(graph, {kEnough, kFanOut, start, {}});
    CHECK(feasible(graph, ranks.of));
    CHECK(rank_cost(graph, ranks.of, kFanOut) == least);
  }
}

TEST_CASE("each component starts at rank 0") {
  TestGraph graph;
  for (int i = 0; i < 5; ++i) graph.add_node();
  graph.add_edge(4, 3);
  graph.add_edge(1, 0);
  const Ranks ranks = assign_ranks(acyclic(graph), {kEnough, kFanOut, {}, {}});
  CHECK(ranks.of == std::vector<std::uint32_t>{1, 0, 0, 1, 0});
  CHECK(ranks.count == 2);
}

TEST_CASE("a source that is read far away does not hold its users back") {
  // Ten pairs read the same source; each pair's other end lies at the end of a chain of ten.
  TestGraph graph;
  const std::uint32_t shared = graph.add_node();
  std::uint32_t end = shared;
  for (int i = 0; i < 10; ++i) {
    const std::uint32_t next = graph.add_node();
    graph.add_edge(end, next);
    end = next;
  }
  const std::uint32_t sink = graph.add_node();
  graph.add_edge(end, sink);
  std::vector<std::uint32_t> readers;
  for (std::uint32_t i = 0; i < 10; ++i) {
    readers.push_back(graph.add_node());
    graph.add_edge(shared, readers.back());
    graph.add_edge(readers.back(), sink, i + 1);
  }
  const Ranks ranks = assign_ranks(acyclic(graph), {kEnough, kFanOut, {}, {}});
  for (const std::uint32_t reader : readers) CHECK(ranks.of[reader] + 1 == ranks.of[sink]);
}

}  // namespace vizd::ranks_test
