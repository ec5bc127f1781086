#include "layout/union_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "layout/layout_graph.h"

namespace vizd {
namespace {

constexpr std::uint32_t kNoBox = 0xFFFFFFFFu;

bool lives_in(std::uint32_t born, std::uint32_t died, Epoch epoch) { return born <= epoch.to && died > epoch.from; }

// The largest box that a node has in the epoch, side by side.
LayoutNode largest_box(const UnionGraph& graph, const UnionNode& node, Epoch epoch) {
  LayoutNode largest;
  if (!lives_in(node.born, node.died, epoch)) return largest;
  const auto boxes = graph.boxes.subspan(node.first_box, node.box_count);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const std::uint32_t ends = i + 1 < boxes.size() ? boxes[i + 1].state : node.died;
    if (boxes[i].size.width_px <= 0 || !lives_in(boxes[i].state, ends, epoch)) continue;
    largest.width_px = std::max(largest.width_px, boxes[i].size.width_px);
    largest.height_px = std::max(largest.height_px, boxes[i].size.height_px);
  }
  return largest;
}

// The part of the union that is drawn in the epoch, numbered without gaps.
struct Drawn {
  std::vector<std::uint32_t> node;  // of the union, by box
  std::vector<LayoutNode> sizes;
  std::vector<LayoutEdge> edges;
  std::vector<std::uint32_t> edge;  // of the union, by edge here
};

Drawn collect_drawn(const UnionGraph& graph, Epoch epoch, std::span<const LayoutNode> sizes) {
  Drawn out;
  std::vector<std::uint32_t> box_of(graph.nodes.size(), kNoBox);
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    if (sizes[node].width_px <= 0) continue;
    box_of[node] = static_cast<std::uint32_t>(out.node.size());
    out.node.push_back(node);
    out.sizes.push_back(sizes[node]);
  }
  for (std::uint32_t i = 0; i < graph.edges.size(); ++i) {
    const UnionEdge& edge = graph.edges[i];
    if (!lives_in(edge.born, edge.died, epoch) || box_of[edge.source] == kNoBox || box_of[edge.user] == kNoBox)
      continue;
    out.edge.push_back(i);
    out.edges.push_back({box_of[edge.source], box_of[edge.user], edge.port});
  }
  return out;
}

}  // namespace

std::size_t EpochLayout::memory_bytes() const {
  return sizes.capacity() * sizeof(LayoutNode) + rank.capacity() * sizeof(std::uint32_t) +
         (x_px.capacity() + y_px.capacity() + points_px.capacity()) * sizeof(float) +
         routes.capacity() * sizeof(EdgeRoute);
}

EpochLayout lay_out_epoch(const UnionGraph& graph, Epoch epoch, const EpochLayout* previous, LayoutOptions options) {
  EpochLayout out;
  out.epoch = epoch;
  out.sizes.reserve(graph.nodes.size());
  for (const UnionNode& node : graph.nodes) out.sizes.push_back(largest_box(graph, node, epoch));
  const Drawn drawn = collect_drawn(graph, epoch, out.sizes);

  std::vector<float> anchor_y_px;
  std::vector<std::uint32_t> start_ranks;
  if (previous != nullptr) {
    for (const std::uint32_t node : drawn.node) {
      const bool was_there = previous->sizes[node].width_px > 0;
      anchor_y_px.push_back(was_there ? previous->y_px[node] + previous->sizes[node].height_px / 2 : std::nanf(""));
      start_ranks.push_back(was_there ? previous->rank[node] : kNoRank);
    }
  }
  options.anchor_y_px = anchor_y_px;
  options.start_ranks = start_ranks;
  Layout layout = layout_graph(drawn.sizes, drawn.edges, options);

  out.x_px.assign(graph.nodes.size(), 0);
  out.y_px.assign(graph.nodes.size(), 0);
  out.rank.assign(graph.nodes.size(), kNoRank);
  out.routes.resize(graph.edges.size());
  for (std::size_t box = 0; box < drawn.node.size(); ++box) {
    out.x_px[drawn.node[box]] = layout.x_px[box];
    out.y_px[drawn.node[box]] = layout.y_px[box];
    out.rank[drawn.node[box]] = layout.rank[box];
  }
  for (std::size_t edge = 0; edge < drawn.edge.size(); ++edge) out.routes[drawn.edge[edge]] = layout.routes[edge];
  out.points_px = std::move(layout.points_px);
  out.width_px = layout.width_px;
  out.height_px = layout.height_px;
  out.cut_edges = layout.cut_edges;
  out.ranks_optimal = layout.ranks_optimal;
  return out;
}

}  // namespace vizd
