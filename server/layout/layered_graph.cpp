#include "layout/layered_graph.h"

#include <algorithm>

namespace vizd {

LayeredGraph make_layered(const AcyclicGraph& graph, const Ranks& ranks, const LayoutOptions& options) {
  LayeredGraph out;
  out.node_count = graph.node_count;
  out.layer_count = ranks.count;
  out.layer = ranks.of;
  out.cut.assign(graph.arcs.size(), false);
  out.first_piece.reserve(graph.node_count + std::size_t{1});

  for (std::uint32_t source = 0; source < graph.node_count; ++source) {
    const auto arcs = graph.out.of(source);
    const bool hub = arcs.size() > options.max_fan_out;
    std::uint32_t reach = 1;
    for (const std::uint32_t arc : arcs) {
      const std::uint32_t span = ranks.of[graph.arcs[arc].head] - ranks.of[source];
      out.cut[arc] = hub || span > options.max_edge_layers;
      if (!out.cut[arc]) reach = std::max(reach, span);
    }
    out.first_piece.push_back(out.item_count());
    for (std::uint32_t i = 1; i < reach; ++i) out.layer.push_back(ranks.of[source] + i);
  }
  out.first_piece.push_back(out.item_count());

  for (std::uint32_t source = 0; source < graph.node_count; ++source) {
    for (std::uint32_t piece = out.first_piece[source]; piece < out.first_piece[source + 1]; ++piece) {
      out.lines.push_back({piece == out.first_piece[source] ? source : piece - 1, piece, kNoArc});
    }
  }
  for (std::uint32_t arc = 0; arc < graph.arcs.size(); ++arc) {
    const auto [tail, head, weight] = graph.arcs[arc];
    if (!out.cut[arc]) out.lines.push_back({out.carrier(tail, ranks.of[head] - 1), head, arc});
  }
  out.left = group_by(
      out.item_count(), out.lines.size(), [&](std::uint32_t line) { return out.lines[line].to; },
      [&](std::uint32_t line) { return out.lines[line].from; });
  out.right = group_by(
      out.item_count(), out.lines.size(), [&](std::uint32_t line) { return out.lines[line].from; },
      [&](std::uint32_t line) { return out.lines[line].to; });
  return out;
}

}  // namespace vizd
