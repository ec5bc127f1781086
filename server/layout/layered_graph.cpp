#include "layout/layered_graph.h"

#include <algorithm>

namespace vizd {

namespace {

// Trunk pieces that a drawing may have; a million of them are laid out in about a second.
constexpr std::uint64_t kMaxPieces = 1'000'000;

std::uint32_t span_of(const Arc& arc, const Ranks& ranks) { return ranks.of[arc.head] - ranks.of[arc.tail]; }

// How far a source's trunk reaches where arcs of up to max_span layers are drawn; 1 where it needs none.
std::uint32_t reach_of(std::uint32_t source, const AcyclicGraph& graph, const Ranks& ranks, std::uint32_t max_span,
                       std::uint32_t max_fan_out) {
  const auto arcs = graph.out.of(source);
  std::uint32_t reach = 1;
  if (arcs.size() > max_fan_out) return reach;
  for (const std::uint32_t arc : arcs) {
    if (const std::uint32_t span = span_of(graph.arcs[arc], ranks); span <= max_span) reach = std::max(reach, span);
  }
  return reach;
}

// The longest span that may be drawn: as asked for, halved until the trunks are not too many.
std::uint32_t find_max_span(const AcyclicGraph& graph, const Ranks& ranks, const LayoutOptions& options) {
  for (std::uint32_t max_span = options.max_edge_layers;; max_span /= 2) {
    std::uint64_t pieces = 0;
    for (std::uint32_t source = 0; source < graph.node_count; ++source) {
      pieces += reach_of(source, graph, ranks, max_span, options.max_fan_out) - 1;
    }
    if (pieces <= kMaxPieces) return max_span;
  }
}

}  // namespace

LayeredGraph make_layered(const AcyclicGraph& graph, const Ranks& ranks, const LayoutOptions& options) {
  LayeredGraph out;
  out.node_count = graph.node_count;
  out.layer_count = ranks.count;
  out.layer = ranks.of;
  out.first_piece.reserve(graph.node_count + std::size_t{1});
  out.cut.reserve(graph.arcs.size());
  const std::uint32_t max_span = find_max_span(graph, ranks, options);
  for (std::uint32_t source = 0; source < graph.node_count; ++source) {
    out.first_piece.push_back(out.item_count());
    const std::uint32_t reach = reach_of(source, graph, ranks, max_span, options.max_fan_out);
    for (std::uint32_t i = 1; i < reach; ++i) out.layer.push_back(ranks.of[source] + i);
  }
  out.first_piece.push_back(out.item_count());
  for (const Arc& arc : graph.arcs) {
    out.cut.push_back(span_of(arc, ranks) > max_span || graph.out.of(arc.tail).size() > options.max_fan_out);
  }

  for (std::uint32_t source = 0; source < graph.node_count; ++source) {
    for (std::uint32_t piece = out.first_piece[source]; piece < out.first_piece[source + 1]; ++piece) {
      out.lines.push_back({piece == out.first_piece[source] ? source : piece - 1, piece, kNoArc});
    }
  }
  for (std::uint32_t arc = 0; arc < graph.arcs.size(); ++arc) {
    const auto [tail, head, port] = graph.arcs[arc];
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
