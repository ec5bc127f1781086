#include "layout/layout_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/assert.h"
#include "layout/acyclic_graph.h"
#include "layout/crossing_reduction.h"
#include "layout/entry_slots.h"
#include "layout/heights.h"
#include "layout/layer_order.h"
#include "layout/layered_graph.h"
#include "layout/ranks.h"
#include "layout/routes.h"

namespace vizd {
namespace {

// An order far from the anchors' must save so much of the crossings that the nearest good one has.
constexpr double kWorthMoving = 0.2;

LayerOrder find_order(const AcyclicGraph& graph, const LayeredGraph& layered, const LayoutOptions& options) {
  if (options.anchor_y_px.empty()) {
    CrossingReduction reduction(layered, depth_first_order(graph, layered), Ties::kTurn);
    reduction.run(options.order_steps, options.stop);
    return reduction.best();
  }
  CrossingReduction reduction(layered, anchored_order(graph, layered, options.anchor_y_px), Ties::kAsStarted);
  reduction.run_swaps(options.order_steps / 2, options.stop);
  const LayerOrder near = reduction.best();
  const auto near_crossings = static_cast<double>(reduction.best_crossings());
  reduction.run(options.order_steps / 2, options.stop);
  const bool worth_moving = static_cast<double>(reduction.best_crossings()) < (1 - kWorthMoving) * near_crossings;
  return worth_moving ? reduction.best() : near;
}

// A gap grows with how steep its lines would be, up to so many times its least width.
constexpr double kGapPerRise = 0.25;
constexpr float kMaxGapGrowth = 4;

// Each column is as wide as its widest node; the gap after it leaves its lines room to be told apart.
std::vector<Column> place_columns(const LayeredGraph& layered, std::span<const LayoutNode> nodes,
                                  std::span<const double> centre_y_px, float gap_px) {
  std::vector<float> width_px(layered.layer_count, 0);
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    float& width = width_px[layered.layer[node]];
    width = std::max(width, nodes[node].width_px);
  }
  std::vector<double> rise_px(layered.layer_count, 0);
  std::vector<double> lines(layered.layer_count, 0);
  for (const LayerLine& line : layered.lines) {
    rise_px[layered.layer[line.from]] += std::abs(centre_y_px[line.to] - centre_y_px[line.from]);
    ++lines[layered.layer[line.from]];
  }
  std::vector<Column> columns;
  float x = 0;
  for (std::size_t layer = 0; layer < layered.layer_count; ++layer) {
    columns.push_back({x, x + width_px[layer]});
    const double mean_rise_px = lines[layer] > 0 ? rise_px[layer] / lines[layer] : 0;
    x += width_px[layer] + std::clamp(static_cast<float>(mean_rise_px * kGapPerRise), gap_px, gap_px * kMaxGapGrowth);
  }
  return columns;
}

}  // namespace

Layout layout_graph(std::span<const LayoutNode> nodes, std::span<const LayoutEdge> edges,
                    const LayoutOptions& options) {
  VIZD_ASSERT(options.anchor_y_px.empty() || options.anchor_y_px.size() == nodes.size());
  VIZD_ASSERT(options.start_ranks.empty() || options.start_ranks.size() == nodes.size());
  const AcyclicGraph graph = make_acyclic(static_cast<std::uint32_t>(nodes.size()), edges);
  Ranks ranks = assign_ranks(graph, {options.rank_steps, options.max_fan_out, options.start_ranks, options.stop});
  const LayeredGraph layered = make_layered(graph, ranks, options);
  const LayerOrder order = find_order(graph, layered, options);
  const std::vector<float> entry_offset_px = entry_offsets(graph, layered, order, nodes);
  const std::vector<double> centre_y_px = assign_heights(layered, order, nodes, entry_offset_px, options);
  const std::vector<Column> columns = place_columns(layered, nodes, centre_y_px, options.layer_gap_px);

  Layout layout;
  layout.ranks_optimal = ranks.optimal;
  layout.rank = std::move(ranks.of);
  if (!columns.empty()) layout.width_px = columns.back().right_px;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    layout.x_px.push_back(columns[layout.rank[node]].left_px);
    layout.y_px.push_back(static_cast<float>(centre_y_px[node] - double{nodes[node].height_px} / 2));
    layout.height_px = std::max(layout.height_px, layout.y_px.back() + nodes[node].height_px);
  }
  route_edges(graph, layered, nodes, edges, columns, centre_y_px, entry_offset_px, layout);
  return layout;
}

}  // namespace vizd
