// Layered layout of one graph, left (sources) to right (users): ranks, one trunk per source, cut of long edges, order,
// coordinates. Pure: the same input gives the same output (but for the time budget of the ranks). Any thread.
// The method and its reasons: layout/README.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace vizd {

struct LayoutNode {
  float width_px = 0;
  float height_px = 0;
};

// user reads source as its sources[port]. Several edges may join the same two nodes, by different ports.
struct LayoutEdge {
  std::uint32_t source = 0;
  std::uint32_t user = 0;
  std::uint32_t port = 0;
};

// A layout to stay near: for each node of the new graph its old centre, or NaN where it is new.
struct LayoutAnchor {
  float x_px;
  float y_px;
};

struct LayoutOptions {
  std::uint32_t max_edge_layers = 24;  // longer edges are cut into a stub at each end
  std::uint32_t max_fan_out = 64;      // a source with more users than this is drawn as stubs only
  std::chrono::microseconds rank_budget{30'000};
  std::span<const LayoutAnchor> anchors;  // empty, or one a node
  float layer_gap_px = 40;
  float node_gap_px = 14;
  std::stop_token stop;  // ends early with the best so far
};

// How an edge is drawn: from the right side of its source through the points to the left side of its user.
struct EdgeRoute {
  std::uint32_t first_point = 0;  // into Layout::points_px, x and y in turn
  std::uint32_t point_count = 0;
  bool cut = false;       // a stub at each end and nothing between
  bool reversed = false;  // a back edge: drawn from right to left
};

struct Layout {
  std::vector<float> x_px;  // left edge, by node
  std::vector<float> y_px;  // top edge
  std::vector<std::uint32_t> rank;
  std::vector<EdgeRoute> routes;  // by edge
  std::vector<float> points_px;
  float width_px = 0;
  float height_px = 0;
  bool ranks_optimal = false;  // false where the budget ran out first
  std::uint32_t cut_edges = 0;
};

// Errors: none; an edge that names no node is ignored. O((V + E) log V) beside the ranks.
Layout layout_graph(std::span<const LayoutNode> nodes, std::span<const LayoutEdge> edges, const LayoutOptions& options);

// Edge crossings as drawn, shared runs of one source's edges counted once. For tests and tables, O(E log E) a layer
// gap.
std::uint64_t count_crossings(const Layout& layout, std::span<const LayoutNode> nodes,
                              std::span<const LayoutEdge> edges);

}  // namespace vizd
