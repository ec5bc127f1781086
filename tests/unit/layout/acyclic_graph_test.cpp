// What is laid out: cycles broken, parallel edges joined, what names no node left out.
#include "layout/acyclic_graph.h"

#include "support/catch.h"
#include "support/layout_graphs.h"

namespace vizd::acyclic_graph_test {

TEST_CASE("any graph is made acyclic, in an order that has tails first") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const TestGraph input = random_graph(1 + seed, 2 * seed, seed);
    const auto nodes = static_cast<std::uint32_t>(input.nodes.size());
    const AcyclicGraph graph = make_acyclic(nodes, input.edges);
    REQUIRE(graph.topological.size() == nodes);
    std::vector<std::uint32_t> place(nodes, nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) place[graph.topological[i]] = i;
    for (const Arc& arc : graph.arcs) CHECK(place[arc.tail] < place[arc.head]);
    for (std::size_t edge = 0; edge < input.edges.size(); ++edge) {
      const auto [source, user, port] = input.edges[edge];
      if (source == user) {
        CHECK(graph.arc_of_edge[edge] == kNoArc);
        continue;
      }
      const Arc arc = graph.arcs[graph.arc_of_edge[edge]];
      CHECK(arc.tail == (graph.reversed[edge] ? user : source));
      CHECK(arc.head == (graph.reversed[edge] ? source : user));
    }
  }
}

TEST_CASE("a graph without cycles has no edge reversed") {
  const TestGraph input = random_acyclic_graph(80, 200, 3);
  const AcyclicGraph graph = make_acyclic(80, input.edges);
  CHECK(std::count(graph.reversed.begin(), graph.reversed.end(), true) == 0);
}

TEST_CASE("edges between the same nodes share an arc, and arcs come in operand order") {
  const std::vector<LayoutEdge> edges = {{2, 3, 2}, {1, 3, 1}, {0, 3, 0}, {1, 3, 3}, {9, 3, 4}, {3, 9, 0}, {3, 3, 5}};
  const AcyclicGraph graph = make_acyclic(4, edges);
  REQUIRE(graph.arcs.size() == 3);
  CHECK(graph.arcs[0].tail == 0);
  CHECK(graph.arcs[1].tail == 1);
  CHECK(graph.arcs[2].tail == 2);
  CHECK(graph.arc_of_edge == std::vector<std::uint32_t>{2, 1, 0, 1, kNoArc, kNoArc, kNoArc});
}

TEST_CASE("an edge and its reverse share an arc") {
  const std::vector<LayoutEdge> edges = {{0, 1, 0}, {1, 0, 0}};
  const AcyclicGraph graph = make_acyclic(2, edges);
  REQUIRE(graph.arcs.size() == 1);
  CHECK(graph.reversed[0] != graph.reversed[1]);
}

}  // namespace vizd::acyclic_graph_test
