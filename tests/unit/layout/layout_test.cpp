// What holds for every layout: nothing overlaps, edges lead to the right, lines keep clear of nodes; and hostile input.
#include <cmath>
#include <map>

#include "layout/acyclic_graph.h"
#include "layout/crossing_reduction.h"
#include "layout/layer_order.h"
#include "layout/layered_graph.h"
#include "layout/layout_graph.h"
#include "layout/ranks.h"
#include "support/catch.h"
#include "support/layout_graphs.h"

namespace vizd::layout_test {
namespace {

struct Point {
  float x;
  float y;
};

std::vector<Point> points_of(const Layout& layout, std::size_t edge) {
  const EdgeRoute& route = layout.routes[edge];
  std::vector<Point> points;
  for (std::size_t i = 0; i < route.point_count; ++i) {
    points.push_back(
        {layout.points_px[2 * (route.first_point + i)], layout.points_px[2 * (route.first_point + i) + 1]});
  }
  points.push_back({route.end_x_px, route.end_y_px});
  return points;
}

void check_nodes(const TestGraph& graph, const Layout& layout) {
  REQUIRE(layout.x_px.size() == graph.nodes.size());
  REQUIRE(layout.y_px.size() == graph.nodes.size());
  std::map<std::uint32_t, std::vector<std::pair<float, float>>> spans;  // by rank: top and bottom
  std::map<std::uint32_t, std::pair<float, float>> columns;             // by rank: left and right
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    const auto [width, height] = graph.nodes[node];
    const float x = layout.x_px[node];
    const float y = layout.y_px[node];
    const bool inside = x >= 0 && y >= -0.01F && x + width <= layout.width_px && y + height <= layout.height_px;
    CHECK(inside);
    spans[layout.rank[node]].push_back({y, y + height});
    auto [column, first] = columns.try_emplace(layout.rank[node], x, x + width);
    column->second.second = std::max(column->second.second, x + width);
    CHECK(column->second.first == x);
  }
  for (auto& [rank, list] : spans) {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 1; i < list.size(); ++i) {
      if (list[i].first < list[i - 1].second) FAIL("nodes overlap in layer " << rank);
    }
  }
  float right = -1;
  for (const auto& [rank, column] : columns) {
    CHECK(column.first > right);
    right = column.second;
  }
}

void check_route(const TestGraph& graph, const Layout& layout, std::size_t edge) {
  const auto [source, user, port] = graph.edges[edge];
  const EdgeRoute& route = layout.routes[edge];
  if (source >= graph.nodes.size() || user >= graph.nodes.size()) {
    CHECK(route.point_count == 0);
    return;
  }
  const std::uint32_t tail = route.reversed ? user : source;
  const std::uint32_t head = route.reversed ? source : user;
  const std::vector<Point> points = points_of(layout, edge);
  REQUIRE(points.size() >= 2);
  CHECK(points.front().x == layout.x_px[tail] + graph.nodes[tail].width_px);
  CHECK(points.front().y == Approx(layout.y_px[tail] + graph.nodes[tail].height_px / 2).margin(0.01));
  CHECK(points.back().x == layout.x_px[head]);
  CHECK(points.back().y >= layout.y_px[head]);
  CHECK(points.back().y <= layout.y_px[head] + graph.nodes[head].height_px);
  if (source == user) {
    CHECK(route.cut);
    return;
  }
  CHECK(layout.rank[tail] < layout.rank[head]);
  if (route.cut) CHECK(points.size() == 2);
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].x <= points[i - 1].x && !route.cut) FAIL("edge " << edge << " does not lead to the right");
  }
}

// Lines may touch the side of the node that they start or end at, but pass through none.
void check_lines_clear_of_nodes(const TestGraph& graph, const Layout& layout) {
  for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
    if (layout.routes[edge].cut || layout.routes[edge].point_count == 0) continue;
    const std::vector<Point> points = points_of(layout, edge);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto [ax, ay] = points[i - 1];
      const auto [bx, by] = points[i];
      for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
        const float left = std::max(ax, layout.x_px[node]);
        const float right = std::min(bx, layout.x_px[node] + graph.nodes[node].width_px);
        if (left >= right) continue;
        const auto y_at = [&](float x) { return ay + (by - ay) * (x - ax) / (bx - ax); };
        const float top = layout.y_px[node];
        const float bottom = top + graph.nodes[node].height_px;
        const float least = std::min(y_at(left), y_at(right));
        const float most = std::max(y_at(left), y_at(right));
        if (most > top && least < bottom) FAIL("edge " << edge << " passes through node " << node);
      }
    }
  }
}

Layout check_layout(const TestGraph& graph, const LayoutOptions& options = {}) {
  Layout layout = layout_graph(graph.nodes, graph.edges, options);
  check_nodes(graph, layout);
  REQUIRE(layout.routes.size() == graph.edges.size());
  std::uint32_t cut = 0;
  for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
    check_route(graph, layout, edge);
    if (layout.routes[edge].cut) ++cut;
  }
  CHECK(layout.cut_edges == cut);
  return layout;
}

std::uint64_t count_by_pairs(const Layout& layout, const std::vector<LayoutEdge>& edges) {
  struct Segment {
    Point a, b;
    std::uint32_t owner;
  };
  std::vector<Segment> segments;
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    if (layout.routes[edge].cut || layout.routes[edge].point_count == 0) continue;
    const std::vector<Point> points = points_of(layout, edge);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Segment s{points[i - 1], points[i], layout.routes[edge].reversed ? edges[edge].user : edges[edge].source};
      const bool known = std::any_of(segments.begin(), segments.end(), [&](const Segment& t) {
        return s.a.x == t.a.x && s.a.y == t.a.y && s.b.x == t.b.x && s.b.y == t.b.y && s.owner == t.owner;
      });
      if (!known) segments.push_back(s);
    }
  }
  const auto side = [](Point a, Point b, Point c) {
    return double{b.x - a.x} * double{c.y - a.y} - double{b.y - a.y} * double{c.x - a.x};
  };
  std::uint64_t crossings = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (std::size_t j = i + 1; j < segments.size(); ++j) {
      const auto& [a, b, owner] = segments[i];
      const auto& [c, d, other] = segments[j];
      if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) ++crossings;
    }
  }
  return crossings;
}

}  // namespace

TEST_CASE("any graph is laid out without overlaps, its edges leading right") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const TestGraph graph = random_graph(1 + 2 * seed, 3 * seed, seed);
    check_lines_clear_of_nodes(graph, check_layout(graph));
  }
  for (const std::uint32_t nodes : {50u, 400u}) {
    const TestGraph graph = compiler_graph(nodes);
    const Layout layout = check_layout(graph);
    check_lines_clear_of_nodes(graph, layout);
    CHECK(layout.ranks_optimal);
  }
}

TEST_CASE("the same input is laid out the same") {
  const TestGraph graph = compiler_graph(700);
  const Layout a = layout_graph(graph.nodes, graph.edges, {});
  const Layout b = layout_graph(graph.nodes, graph.edges, {});
  CHECK(a.x_px == b.x_px);
  CHECK(a.y_px == b.y_px);
  CHECK(a.points_px == b.points_px);
}

TEST_CASE("crossings are counted as comparing all pairs of lines counts them") {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    const TestGraph graph = random_graph(30, 60, seed);
    const Layout layout = layout_graph(graph.nodes, graph.edges, {});
    CHECK(count_crossings(layout, graph.edges) == count_by_pairs(layout, graph.edges));
  }
  // Polylines of any shape, as other tools draw them.
  TestRandom random(5);
  Layout layout;
  std::vector<LayoutEdge> edges;
  for (std::uint32_t edge = 0; edge < 60; ++edge) {
    const auto at = [&] { return static_cast<float>(random.below(1'000)); };
    const std::uint32_t count = 1 + random.below(4);
    layout.routes.push_back({static_cast<std::uint32_t>(layout.points_px.size() / 2), count, at(), at(), false, false});
    for (std::uint32_t i = 0; i < 2 * count; ++i) layout.points_px.push_back(at());
    edges.push_back({edge, 100, edge});
  }
  CHECK(count_by_pairs(layout, edges) > 100);
  CHECK(count_crossings(layout, edges) == count_by_pairs(layout, edges));
}

TEST_CASE("what crosses on screen is what the order counted") {
  for (const std::uint32_t nodes : {60u, 300u, 1'000u}) {
    const TestGraph input = compiler_graph(nodes);
    const LayoutOptions options;
    const AcyclicGraph graph = make_acyclic(static_cast<std::uint32_t>(input.nodes.size()), input.edges);
    const Ranks ranks = assign_ranks(graph, {options.rank_steps, options.max_fan_out, {}, {}});
    const LayeredGraph layered = make_layered(graph, ranks, options);
    CrossingReduction reduction(layered, depth_first_order(graph, layered), Ties::kTurn);
    reduction.run(options.order_steps, {});
    const Layout layout = layout_graph(input.nodes, input.edges, options);
    CHECK(count_crossings(layout, input.edges) == reduction.best_crossings());
  }
}

TEST_CASE("edges of one source share its trunk") {
  TestGraph graph;
  for (int i = 0; i < 8; ++i) graph.add_node();
  for (std::uint32_t i = 0; i + 1 < 8; ++i) graph.add_edge(i, i + 1);
  graph.add_edge(0, 4, 1);
  graph.add_edge(0, 7, 1);
  const Layout layout = check_layout(graph);
  CHECK(layout.routes[7].first_point == layout.routes[8].first_point);
  CHECK(layout.routes[7].point_count <= layout.routes[8].point_count);
  CHECK(count_crossings(layout, graph.edges) == 0);
}

TEST_CASE("operands enter from the top in their order, where that crosses nothing") {
  TestGraph graph;
  const std::uint32_t user = graph.add_node(100, 80);
  for (std::uint32_t port = 0; port < 3; ++port) graph.add_edge(graph.add_node(), user, 2 - port);
  const Layout layout = check_layout(graph);
  CHECK(layout.routes[2].end_y_px < layout.routes[1].end_y_px);
  CHECK(layout.routes[1].end_y_px < layout.routes[0].end_y_px);
  CHECK(count_crossings(layout, graph.edges) == 0);
}

TEST_CASE("edges that are too long and those of hubs are cut") {
  const TestGraph graph = compiler_graph(1'500);
  LayoutOptions options;
  options.max_edge_layers = 5;
  options.max_fan_out = 8;
  const Layout layout = check_layout(graph, options);
  std::vector<std::uint32_t> fan_out(graph.nodes.size(), 0);
  for (const LayoutEdge& edge : graph.edges) ++fan_out[edge.source];
  for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
    const auto [source, user, port] = graph.edges[edge];
    if (layout.rank[user] - layout.rank[source] > 5) CHECK(layout.routes[edge].cut);
    // Fan-out is counted in users, here at least half as many as edges.
    if (fan_out[source] > 16) CHECK(layout.routes[edge].cut);
    if (layout.rank[user] - layout.rank[source] <= 5 && fan_out[source] <= 8) CHECK_FALSE(layout.routes[edge].cut);
  }
}

TEST_CASE("a straight chain is drawn level") {
  TestGraph graph;
  graph.add_node(50, 26);
  for (std::uint32_t i = 1; i < 30; ++i) {
    graph.add_node(static_cast<float>(40 + 3 * i), static_cast<float>(26 + 14 * (i % 4)));
    graph.add_edge(i - 1, i);
  }
  const Layout layout = check_layout(graph);
  for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
    for (const Point point : points_of(layout, edge)) {
      CHECK(point.y == Approx(layout.y_px[0] + 13).margin(0.01));
    }
  }
}

TEST_CASE("a layout that is stopped is a whole layout all the same") {
  const TestGraph graph = compiler_graph(2'000);
  std::stop_source source;
  source.request_stop();
  LayoutOptions options;
  options.stop = source.get_token();
  CHECK_FALSE(check_layout(graph, options).ranks_optimal);
}

TEST_CASE("anchors keep nodes near where they were") {
  const TestGraph graph = compiler_graph(300);
  const Layout before = layout_graph(graph.nodes, graph.edges, {});
  LayoutOptions options;
  std::vector<float> anchors;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    anchors.push_back(before.y_px[i] + graph.nodes[i].height_px / 2);
  }
  // Five more nodes, each between two that are there already.
  TestGraph grown = graph;
  for (std::uint32_t i = 0; i < 5; ++i) {
    const std::uint32_t node = grown.add_node();
    grown.add_edge(20 + 10 * i, node);
    grown.add_edge(node, 200 + 10 * i, 9);
    anchors.push_back(std::nanf(""));
  }
  options.anchor_y_px = anchors;
  std::vector<std::uint32_t> ranks = before.rank;
  ranks.resize(grown.nodes.size(), kNoRank);
  options.start_ranks = ranks;
  const Layout after = check_layout(grown, options);
  double moved = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) moved += std::abs(double{after.y_px[i] - before.y_px[i]});
  CHECK(moved / static_cast<double>(graph.nodes.size()) < 40);
}

TEST_CASE("hostile graphs are laid out: empty, one node, no edge in range") {
  CHECK(layout_graph({}, {}, {}).width_px == 0);
  const std::vector<LayoutEdge> nowhere = {{0, 1, 0}, {5, 6, 0}, {0xFFFFFFFFu, 0, 0}};
  CHECK(layout_graph({}, nowhere, {}).routes.size() == 3);
  TestGraph one;
  one.add_node(0, 0);
  one.edges = nowhere;
  one.add_edge(0, 0);
  check_layout(one);
}

TEST_CASE("hostile graphs are laid out: chains, stars, rings and dust of 100,000") {
  constexpr std::uint32_t kMany = 100'000;
  TestGraph graph;
  for (std::uint32_t i = 0; i < kMany; ++i) graph.add_node(60, 26);
  SECTION("chain") {
    for (std::uint32_t i = 0; i + 1 < kMany; ++i) graph.add_edge(i, i + 1);
  }
  SECTION("ring") {
    for (std::uint32_t i = 0; i < kMany; ++i) graph.add_edge(i, (i + 1) % kMany);
  }
  SECTION("fan-out") {
    for (std::uint32_t i = 1; i < kMany; ++i) graph.add_edge(0, i);
  }
  SECTION("fan-in") {
    for (std::uint32_t i = 1; i < kMany; ++i) graph.add_edge(i, 0, i);
  }
  SECTION("dust") {}
  SECTION("every node reads itself") {
    for (std::uint32_t i = 0; i < kMany; ++i) graph.add_edge(i, i);
  }
  SECTION("two layers in opposite order") {
    for (std::uint32_t i = 0; i < kMany / 2; ++i) graph.add_edge(i, kMany - 1 - i);
  }
  SECTION("a chain that its end reads whole") {
    for (std::uint32_t i = 0; i + 1 < kMany; ++i) graph.add_edge(i, i + 1);
    for (std::uint32_t i = 0; i < kMany; ++i) graph.add_edge(i, kMany - 1, i + 1);
  }
  // check_layout has too many assertions for this size.
  const Layout layout = layout_graph(graph.nodes, graph.edges, {});
  std::size_t wrong = 0;
  for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
    const EdgeRoute& route = layout.routes[edge];
    const auto [source, user, port] = graph.edges[edge];
    const bool right = source == user || (layout.rank[source] < layout.rank[user]) != route.reversed;
    if (!right || route.point_count == 0) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(layout.height_px > 0);
}

TEST_CASE("hostile graphs are laid out: every node reads all before it") {
  TestGraph graph;
  for (std::uint32_t i = 0; i < 300; ++i) {
    graph.add_node();
    for (std::uint32_t j = 0; j < i; ++j) graph.add_edge(j, i, j);
  }
  LayoutOptions options;
  options.max_edge_layers = 0xFFFFFFFFu;
  options.max_fan_out = 0xFFFFFFFFu;
  check_layout(graph, options);
}

}  // namespace vizd::layout_test
