// Layouts of real captures: fewer crossings than dagre's on the same graphs, and every state's boxes in their places.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "derived/pass_layout.h"
#include "formats/registry.h"
#include "layout/label_size.h"
#include "layout/layout_graph.h"
#include "rewrite/history.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::layout_golden_test {
namespace {

std::unique_ptr<Capture> open_capture(const std::string& path) {
  const auto file = MappedFile::open(path);
  REQUIRE(file.has_value());
  auto capture = std::make_unique<Capture>();
  REQUIRE(read_capture({path, file->bytes()}, *capture).has_value());
  return capture;
}

// A pass's input graph as it is drawn.
struct Graph {
  std::vector<LayoutNode> nodes;
  std::vector<LayoutEdge> edges;
};

Graph input_graph(const Capture& capture, std::uint32_t context, std::uint32_t pass_in_context) {
  Pass pass = capture.rewrites.passes_of(capture.rewrites.contexts[context])[pass_in_context];
  pass.match_count = 0;
  const auto history = build_history(capture, pass, {});
  REQUIRE(history.has_value());
  Graph graph;
  std::vector<std::uint32_t> number(history->nodes.size(), kNoId);
  for (std::size_t i = 0; i < history->nodes.size(); ++i) {
    const NodeVersion& version = history->versions[history->nodes[i].first_version];
    if (version.inlined) continue;
    number[i] = static_cast<std::uint32_t>(graph.nodes.size());
    const LabelSize size = label_size(history->labels[version.label]);
    graph.nodes.push_back({size.width_px, size.height_px});
  }
  for (const HistoryEdge& edge : history->edges) {
    const LayoutEdge drawn{number[index(edge.source)], number[index(edge.user)], edge.port};
    if (drawn.source != kNoId && drawn.user != kNoId) graph.edges.push_back(drawn);
  }
  return graph;
}

// The boxes of the states of an epoch lie inside the drawing and clear of each other.
void check_places(const History& history, const EpochLayout& layout) {
  struct Box {
    float x, top, bottom;
  };
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < history.nodes.size(); ++i) {
    if (layout.sizes[i].width_px <= 0) continue;
    boxes.push_back({layout.x_px[i], layout.y_px[i], layout.y_px[i] + layout.sizes[i].height_px});
    REQUIRE(boxes.back().bottom <= layout.height_px);
    REQUIRE(boxes.back().x + layout.sizes[i].width_px <= layout.width_px);
  }
  std::sort(boxes.begin(), boxes.end(),
            [](const Box& a, const Box& b) { return a.x != b.x ? a.x < b.x : a.top < b.top; });
  for (std::size_t i = 1; i < boxes.size(); ++i) {
    if (boxes[i].x == boxes[i - 1].x) REQUIRE(boxes[i].top >= boxes[i - 1].bottom);
  }
}

// Every node that is a box at some state has a place in the epoch of that state.
void check_lives(const History& history, const std::vector<EpochLayout>& layouts) {
  for (std::size_t i = 0; i < history.nodes.size(); ++i) {
    const HistoryNode& node = history.nodes[i];
    for (std::uint32_t v = node.first_version; v < node.first_version + node.version_count; ++v) {
      if (history.versions[v].inlined) continue;
      const std::uint32_t state = history.versions[v].state;
      const auto epoch = std::find_if(layouts.begin(), layouts.end(), [&](const EpochLayout& layout) {
        return layout.epoch.from <= state && state <= layout.epoch.to;
      });
      REQUIRE(epoch != layouts.end());
      REQUIRE(epoch->sizes[i].width_px > 0);
    }
  }
}

}  // namespace

TEST_CASE("every state of the ramp capture has its boxes in their places") {
  const auto capture = open_capture(test_data("tinygrad-2025-09/ramp.rewrites.pkl"));
  for (const Pass& pass : capture->rewrites.passes) {
    INFO("pass " << &pass - capture->rewrites.passes.data());
    const auto history = build_history(*capture, pass, {});
    REQUIRE(history.has_value());
    const std::vector<EpochLayout> layouts = lay_out_pass(*history, [](std::size_t, std::size_t) {}, {});
    for (const EpochLayout& layout : layouts) check_places(*history, layout);
    check_lives(*history, layouts);
  }
}

TEST_CASE("real graphs have fewer crossings than dagre gives them") {
  const std::string path = shared_data("samples/tinygrad-2025-09/gpt.rewrites.pkl");
  if (!std::filesystem::exists(path)) {
    WARN("skipped: " << path << " is not here");
    return;
  }
  // Crossings of dagre's lines as tinygrad's page has them drawn: its dagre, its settings, the same boxes.
  struct Case {
    std::uint32_t context, pass;
    std::size_t nodes;
    std::uint64_t dagre_crossings;
  };
  const auto capture = open_capture(path);
  for (const auto& [context, pass, nodes, dagre_crossings] :
       {Case{34, 0, 575, 210}, Case{2, 65, 927, 3'151}, Case{9, 22, 540, 449}}) {
    CAPTURE(nodes);
    const Graph graph = input_graph(*capture, context, pass);
    REQUIRE(graph.nodes.size() == nodes);
    LayoutOptions options;
    options.max_edge_layers = 0xFFFFFFFFu;  // dagre draws every edge
    options.max_fan_out = 0xFFFFFFFFu;
    const Layout layout = layout_graph(graph.nodes, graph.edges, options);
    CHECK(layout.ranks_optimal);
    CHECK(layout.cut_edges == 0);
    CHECK(count_crossings(layout, graph.edges) < dagre_crossings);
  }
}

}  // namespace vizd::layout_golden_test
