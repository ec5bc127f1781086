// Epochs: whole passes in few layouts, in which no node moves; and each near the one before.
#include "layout/union_layout.h"

#include <cmath>

#include "support/catch.h"
#include "support/layout_graphs.h"

namespace vizd::union_layout_test {
namespace {

constexpr std::uint32_t kForever = 0xFFFFFFFFu;

struct TestUnion {
  std::uint32_t states = 1;
  std::vector<UnionNode> nodes;
  std::vector<UnionBox> boxes;
  std::vector<UnionEdge> edges;

  std::uint32_t add_node(std::uint32_t born, std::uint32_t died, LayoutNode size = {80, 40}) {
    nodes.push_back({born, died, static_cast<std::uint32_t>(boxes.size()), 1});
    boxes.push_back({born, size});
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  // Changes the box of the node added last, from a state on.
  void change_box(std::uint32_t state, LayoutNode size) {
    boxes.push_back({state, size});
    ++nodes.back().box_count;
  }
  void add_edge(std::uint32_t source, std::uint32_t user, std::uint32_t port) {
    edges.push_back({source, user, port, std::max(nodes[source].born, nodes[user].born),
                     std::min(nodes[source].died, nodes[user].died)});
  }
  UnionGraph graph() const { return {states, nodes, boxes, edges}; }
};

// A graph of a few hundred nodes of which each state replaces one, and which grows to growth times its size.
TestUnion random_rewrite(std::uint32_t states, std::uint32_t growth, std::uint32_t seed) {
  TestRandom random(seed);
  TestUnion out;
  out.states = states;
  const std::uint32_t at_first = 150 + random.below(100);
  std::vector<std::uint32_t> live;
  const auto add = [&](std::uint32_t born, std::uint32_t died) {
    const auto width = static_cast<float>(40 + random.below(120));
    const std::uint32_t node = out.add_node(born, died, {width, static_cast<float>(26 + 14 * random.below(4))});
    const std::uint32_t near =
        live.empty() ? 0 : live[live.size() - 1 - random.below(std::min<std::uint32_t>(20, node))];
    if (!live.empty() && near != node) out.add_edge(near, node, 0);
    if (live.size() > 1 && live[0] != node)
      out.add_edge(live[random.below(static_cast<std::uint32_t>(live.size()))], node, 1);
    live.push_back(node);
  };
  for (std::uint32_t i = 0; i < at_first; ++i) add(0, random.chance(30) ? 1 + random.below(states) : kForever);
  for (std::uint32_t state = 1; state < states; ++state) {
    const std::uint32_t births = (state % 8 == 0 ? 1 : 0) + at_first * (growth - 1) / states;
    for (std::uint32_t i = 0; i < births; ++i)
      add(state, random.chance(30) ? state + 1 + random.below(states) : kForever);
  }
  std::erase_if(out.edges, [](const UnionEdge& edge) { return edge.born >= edge.died; });
  return out;
}

std::uint32_t live_boxes(const TestUnion& rewrite, std::uint32_t from, std::uint32_t to) {
  std::uint32_t count = 0;
  for (const UnionNode& node : rewrite.nodes) {
    if (node.born <= to && node.died > from) ++count;
  }
  return count;
}

void check_epoch(const TestUnion& rewrite, const EpochLayout& layout) {
  const auto [from, to] = layout.epoch;
  for (std::uint32_t i = 0; i < rewrite.nodes.size(); ++i) {
    const UnionNode& node = rewrite.nodes[i];
    const bool lives = node.born <= to && node.died > from;
    CHECK((layout.sizes[i].width_px > 0) == lives);
    CHECK((layout.rank[i] != kNoRank) == lives);
    if (!lives) continue;
    const bool inside = layout.x_px[i] >= 0 && layout.x_px[i] + layout.sizes[i].width_px <= layout.width_px + 0.01F &&
                        layout.y_px[i] >= -0.01F &&
                        layout.y_px[i] + layout.sizes[i].height_px <= layout.height_px + 0.01F;
    CHECK(inside);
  }
  for (std::uint32_t i = 0; i < rewrite.edges.size(); ++i) {
    const UnionEdge& edge = rewrite.edges[i];
    const bool lives = edge.born <= to && edge.died > from;
    CHECK((layout.routes[i].point_count > 0) == lives);
    if (lives && !layout.routes[i].reversed) CHECK(layout.rank[edge.source] < layout.rank[edge.user]);
  }
}

}  // namespace

TEST_CASE("epochs follow each other without gaps, and each lays out all that lives in it") {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const TestUnion rewrite = random_rewrite(100 + 150 * seed, 1 + seed, seed);
    const UnionGraph graph = rewrite.graph();
    const std::vector<Epoch> epochs = find_epochs(graph);
    REQUIRE_FALSE(epochs.empty());
    CHECK(epochs.size() <= 8);
    std::uint32_t next = 0;
    EpochLayout previous;
    for (const Epoch epoch : epochs) {
      CHECK(epoch.from == next);
      REQUIRE(epoch.to >= epoch.from);
      next = epoch.to + 1;
      EpochLayout layout = lay_out_epoch(graph, epoch, epoch.from == 0 ? nullptr : &previous, {});
      check_epoch(rewrite, layout);
      previous = std::move(layout);
    }
    CHECK(next == rewrite.states);
  }
}

TEST_CASE("a pass that changes little is one epoch, one that grows tenfold several") {
  TestUnion steady;
  steady.states = 400;
  for (std::uint32_t i = 0; i < 300; ++i) steady.add_node(0, kForever);
  for (std::uint32_t state = 0; state < 400; state += 10) steady.add_node(state, state + 10);
  CHECK(find_epochs(steady.graph()).size() == 1);

  const TestUnion growing = random_rewrite(400, 10, 2);
  const std::vector<Epoch> epochs = find_epochs(growing.graph());
  CHECK(epochs.size() >= 2);
  CHECK(epochs.size() <= 6);
  // Shown in the whole union, the first half would be mostly holes.
  double holes = 0;
  for (const auto [from, to] : epochs) {
    for (std::uint32_t state = from; state <= to; ++state) {
      holes += static_cast<double>(live_boxes(growing, from, to)) / live_boxes(growing, state, state);
    }
  }
  CHECK(holes / growing.states < 1.7);
}

TEST_CASE("a small graph is one epoch, whatever it does") {
  TestUnion rewrite;
  rewrite.states = 300;
  for (std::uint32_t i = 0; i < 40; ++i) rewrite.add_node(i * 7, i * 7 + 20);
  CHECK(find_epochs(rewrite.graph()).size() == 1);
}

TEST_CASE("one state, no node and lives beyond the states are no trouble") {
  TestUnion rewrite;
  CHECK(find_epochs(rewrite.graph()).size() == 1);
  CHECK(lay_out_epoch(rewrite.graph(), {0, 0}, nullptr, {}).width_px == 0);
  rewrite.add_node(0, kForever);
  rewrite.add_node(5, 2);
  rewrite.add_node(7, kForever);
  rewrite.add_edge(0, 1, 0);
  const std::vector<Epoch> epochs = find_epochs(rewrite.graph());
  REQUIRE(epochs.size() == 1);
  CHECK(epochs[0].to == 0);
  CHECK(lay_out_epoch(rewrite.graph(), epochs[0], nullptr, {}).width_px == 80);
}

TEST_CASE("a box is as large as its largest label of the epoch, and is left out where it is none") {
  TestUnion rewrite;
  rewrite.states = 10;
  const std::uint32_t node = rewrite.add_node(0, kForever, {50, 26});
  rewrite.change_box(3, {90, 26});
  rewrite.change_box(6, {70, 54});
  const std::uint32_t hidden = rewrite.add_node(0, kForever, {0, 0});
  rewrite.change_box(5, {60, 26});
  rewrite.add_edge(hidden, node, 0);
  const auto size_at = [&](std::uint32_t from, std::uint32_t to) {
    return lay_out_epoch(rewrite.graph(), {from, to}, nullptr, {}).sizes[node];
  };
  CHECK(size_at(0, 2).width_px == 50);
  CHECK(size_at(0, 3).width_px == 90);
  CHECK(size_at(4, 6).width_px == 90);
  CHECK(size_at(4, 6).height_px == 54);
  CHECK(size_at(6, 9).width_px == 70);

  const EpochLayout without = lay_out_epoch(rewrite.graph(), {0, 4}, nullptr, {});
  CHECK(without.sizes[hidden].width_px == 0);
  CHECK(without.routes[0].point_count == 0);
  const EpochLayout with = lay_out_epoch(rewrite.graph(), {0, 5}, nullptr, {});
  CHECK(with.sizes[hidden].width_px == 60);
  CHECK(with.routes[0].point_count > 0);
}

TEST_CASE("sources that read into one port at different states share its place") {
  TestUnion rewrite;
  rewrite.states = 4;
  const std::uint32_t user = rewrite.add_node(0, kForever, {100, 60});
  for (std::uint32_t state = 0; state < 4; ++state) {
    rewrite.add_edge(rewrite.add_node(state, state + 1), user, 0);
  }
  rewrite.add_edge(rewrite.add_node(0, kForever), user, 1);
  const EpochLayout layout = lay_out_epoch(rewrite.graph(), {0, 3}, nullptr, {});
  for (std::uint32_t edge = 0; edge < 4; ++edge) {
    CHECK(layout.routes[edge].end_y_px - layout.y_px[user] == Approx(20));
  }
  CHECK(layout.routes[4].end_y_px - layout.y_px[user] == Approx(40));
}

TEST_CASE("an epoch stays near the one before it") {
  double seeded_moves = 0;
  double fresh_moves = 0;
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const TestUnion rewrite = random_rewrite(300, 4, 20 + seed);
    const UnionGraph graph = rewrite.graph();
    const EpochLayout before = lay_out_epoch(graph, {0, 150}, nullptr, {});
    // How far nodes move against each other; a page holds one of them in its place.
    const auto moves = [&](const EpochLayout& after) {
      std::vector<double> moved;
      for (std::size_t i = 0; i < rewrite.nodes.size(); ++i) {
        if (before.sizes[i].width_px <= 0 || after.sizes[i].width_px <= 0) continue;
        moved.push_back(double{after.y_px[i]} - double{before.y_px[i]});
      }
      std::sort(moved.begin(), moved.end());
      const double median = moved[moved.size() / 2];
      double sum = 0;
      for (const double distance : moved) sum += std::abs(distance - median);
      return sum / static_cast<double>(moved.size());
    };
    seeded_moves += moves(lay_out_epoch(graph, {151, 299}, &before, {}));
    fresh_moves += moves(lay_out_epoch(graph, {151, 299}, nullptr, {}));
  }
  CHECK(seeded_moves < 0.7 * fresh_moves);
}

}  // namespace vizd::union_layout_test
