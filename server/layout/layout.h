// Layout: a graph's boxes and lines with their places, and what is asked for. Plain data; layout_graph.h makes it.
#pragma once

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

// A node without a rank to start from: see LayoutOptions::start_ranks.
inline constexpr std::uint32_t kNoRank = 0xFFFFFFFFu;

struct LayoutOptions {
  // Longer edges are cut into a stub at each end. Taken lower where it would make the drawing too large to hold.
  std::uint32_t max_edge_layers = 24;
  std::uint32_t max_fan_out = 64;  // a source with more users than this is drawn as stubs only
  // How long the ranks and the order may be improved, in looks at an edge: about 100 pass in a microsecond.
  std::uint64_t rank_steps = 4'000'000;
  std::uint64_t order_steps = 1'000'000;
  // Where to start, or empty: ranks by node, as an earlier layout of these nodes had them. With Layout::rank of a
  // layout that was not ranks_optimal and more rank_steps, the work goes on where it stopped.
  std::span<const std::uint32_t> start_ranks;
  // A layout to stay near, or empty: by node its old centre's y, NaN where it is new.
  std::span<const float> anchor_y_px;
  float layer_gap_px = 40;  // the least; wider where lines are steep
  float node_gap_px = 14;
  std::stop_token stop;  // ends early with the best so far
};

// How an edge is drawn: a polyline through point_count points from first_point on, and then to its end. The first point
// is on the right side of its source, the end on the left side of its user. Edges of one source have the same first
// point: each takes the points of the source's trunk as far as it needs them. A cut edge has its first point and its
// end only, and is drawn as a stub at each. A reversed one leads from its user's right side to its source's left side:
// the arrow goes the other way. An edge that is ignored (it names no node) has no points.
struct EdgeRoute {
  std::uint32_t first_point = 0;  // its x is points_px[2 * first_point], its y the number after
  std::uint32_t point_count = 0;
  float end_x_px = 0;
  float end_y_px = 0;
  bool cut = false;       // a stub at each end and nothing between; always so where a node reads itself
  bool reversed = false;  // a back edge: drawn from right to left
};

struct Layout {
  std::vector<float> x_px;  // left edge, by node
  std::vector<float> y_px;  // top edge
  std::vector<std::uint32_t> rank;
  std::vector<EdgeRoute> routes;  // by edge
  std::vector<float> points_px;   // x and y in turn
  float width_px = 0;
  float height_px = 0;
  bool ranks_optimal = false;  // false where the budget ran out first
  std::uint32_t cut_edges = 0;
};

// Edge crossings as drawn: pairs of lines that pass through each other, what one source's edges share counted once; cut
// edges have none. Works for any polylines, so for other tools' layouts too. For tests and tables: quadratic where many
// lines lie side by side.
std::uint64_t count_crossings(const Layout& layout, std::span<const LayoutEdge> edges);

}  // namespace vizd
