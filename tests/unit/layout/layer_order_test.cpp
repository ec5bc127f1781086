// Order within layers: counting crossings, where to start, and never to end worse.
#include "layout/layer_order.h"

#include <numeric>

#include "layout/crossing_reduction.h"
#include "support/catch.h"
#include "support/layout_graphs.h"

namespace vizd::layer_order_test {
namespace {

struct Prepared {
  AcyclicGraph graph;
  LayeredGraph layered;
};

Prepared prepare(const TestGraph& input, const LayoutOptions& options = {}) {
  Prepared out;
  out.graph = make_acyclic(static_cast<std::uint32_t>(input.nodes.size()), input.edges);
  out.layered = make_layered(out.graph, assign_ranks(out.graph, {100'000, options.max_fan_out, {}, {}}), options);
  return out;
}

std::uint64_t count_by_pairs(const LayeredGraph& layered, const LayerOrder& order) {
  std::uint64_t crossings = 0;
  for (std::size_t i = 0; i < layered.lines.size(); ++i) {
    for (std::size_t j = i + 1; j < layered.lines.size(); ++j) {
      const LayerLine& a = layered.lines[i];
      const LayerLine& b = layered.lines[j];
      if (layered.layer[a.from] != layered.layer[b.from]) continue;
      const std::int64_t from = std::int64_t{order.position[a.from]} - order.position[b.from];
      const std::int64_t to = std::int64_t{order.position[a.to]} - order.position[b.to];
      if ((from < 0 && to > 0) || (from > 0 && to < 0)) ++crossings;
    }
  }
  return crossings;
}

std::uint64_t count_all(const LayeredGraph& layered, const LayerOrder& order) {
  std::uint64_t sum = 0;
  for (std::uint32_t layer = 0; layer < layered.layer_count; ++layer) {
    sum += count_line_crossings(layered, order, layer);
  }
  return sum;
}

// Each item once, in its own layer, and the positions right.
void check_order(const LayeredGraph& layered, const LayerOrder& order) {
  std::vector<int> seen(layered.item_count(), 0);
  for (std::uint32_t layer = 0; layer < order.layers.size(); ++layer) {
    for (std::uint32_t i = 0; i < order.layers[layer].size(); ++i) {
      const std::uint32_t item = order.layers[layer][i];
      CHECK(layered.layer[item] == layer);
      CHECK(order.position[item] == i);
      ++seen[item];
    }
  }
  CHECK(std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(seen.size()));
}

}  // namespace

TEST_CASE("the accumulator tree counts what comparing all pairs of lines counts") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const Prepared p = prepare(random_graph(5 + seed, 12 + 3 * seed, seed));
    const LayerOrder order = depth_first_order(p.graph, p.layered);
    check_order(p.layered, order);
    CHECK(count_all(p.layered, order) == count_by_pairs(p.layered, order));
  }
}

TEST_CASE("a tree starts without a crossing, its operands from the top") {
  TestGraph tree;
  tree.add_node();
  for (std::uint32_t user = 0; user < 40; ++user) {
    for (std::uint32_t port = 0; port < 3; ++port) tree.add_edge(tree.add_node(), user, port);
  }
  const Prepared p = prepare(tree);
  const LayerOrder order = depth_first_order(p.graph, p.layered);
  CHECK(count_all(p.layered, order) == 0);
  CHECK(order.position[1] < order.position[2]);
  CHECK(order.position[2] < order.position[3]);
}

TEST_CASE("crossing reduction knows what it found, and never ends worse than it began") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const Prepared p = prepare(random_acyclic_graph(80, 90 + 5 * seed, seed));
    const LayerOrder start = depth_first_order(p.graph, p.layered);
    const std::uint64_t before = count_all(p.layered, start);
    const Ties ties = seed % 2 == 0 ? Ties::kTurn : Ties::kAsStarted;
    std::uint64_t last = before;
    for (const std::uint64_t steps : {0u, 1'000u, 100'000u, 10'000'000u}) {
      CrossingReduction reduction(p.layered, start, ties);
      reduction.run(steps, {});
      check_order(p.layered, reduction.best());
      CHECK(reduction.best_crossings() == count_all(p.layered, reduction.best()));
      CHECK(reduction.best_crossings() <= last);
      last = reduction.best_crossings();
    }
    CHECK(last < before);
  }
}

TEST_CASE("two crossed pairs are uncrossed") {
  TestGraph graph;
  for (int i = 0; i < 4; ++i) graph.add_node();
  graph.add_edge(0, 3);
  graph.add_edge(1, 2);
  const Prepared p = prepare(graph);
  LayerOrder crossed{{{0, 1}, {2, 3}}, {0, 1, 0, 1}};
  REQUIRE(count_all(p.layered, crossed) == 1);
  CrossingReduction reduction(p.layered, crossed, Ties::kTurn);
  reduction.run(1'000, {});
  CHECK(reduction.best_crossings() == 0);
}

TEST_CASE("an order from anchors keeps theirs, and puts what is new beside its neighbours") {
  // Four pairs; the third source is new, its user is at the top.
  TestGraph graph;
  for (int i = 0; i < 8; ++i) graph.add_node();
  for (std::uint32_t i = 0; i < 4; ++i) graph.add_edge(i, 4 + i);
  const Prepared p = prepare(graph);
  const float nan = std::nanf("");
  const std::vector<float> anchors = {300, 200, nan, 100, 300, 200, 0, 100};
  const LayerOrder order = anchored_order(p.graph, p.layered, anchors);
  check_order(p.layered, order);
  CHECK(order.layers[0] == std::vector<std::uint32_t>{2, 3, 1, 0});
  CHECK(order.layers[1] == std::vector<std::uint32_t>{6, 7, 5, 4});
}

TEST_CASE("a trunk has a piece in each layer up to its farthest user, and long arcs are cut") {
  TestGraph graph;
  for (int i = 0; i < 6; ++i) graph.add_node();
  for (std::uint32_t i = 0; i < 5; ++i) graph.add_edge(i, i + 1);
  graph.add_edge(0, 3, 1);
  graph.add_edge(0, 4, 1);
  graph.add_edge(0, 5, 1);
  LayoutOptions options;
  options.max_edge_layers = 4;
  const Prepared p = prepare(graph, options);
  CHECK(p.layered.item_count() == 6 + 3);  // 0 to 4 passes three layers; 0 to 5 is cut
  CHECK(std::count(p.layered.cut.begin(), p.layered.cut.end(), true) == 1);
  CHECK(p.layered.carrier(0, 0) == 0);
  CHECK(p.layered.carrier(0, 2) == 7);
  for (const LayerLine& line : p.layered.lines) {
    CHECK(p.layered.layer[line.to] == p.layered.layer[line.from] + 1);
  }
}

TEST_CASE("trunks are shortened where they would be too many to hold") {
  // 3,000 nodes in a row, each of which the last one reads too.
  TestGraph graph;
  for (std::uint32_t i = 0; i < 3'000; ++i) graph.add_node();
  for (std::uint32_t i = 0; i + 1 < 3'000; ++i) {
    graph.add_edge(i, i + 1);
    if (i + 2 < 3'000) graph.add_edge(i, 2'999, i + 1);
  }
  LayoutOptions options;
  options.max_edge_layers = 0xFFFFFFFFu;
  const Prepared p = prepare(graph, options);
  CHECK(p.layered.item_count() < 1'100'000);
  CHECK(std::count(p.layered.cut.begin(), p.layered.cut.end(), false) > 2'999);
}

}  // namespace vizd::layer_order_test
