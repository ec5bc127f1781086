#include "layout/routes.h"

#include <cstdint>

namespace vizd {
namespace {

// The points of every trunk, and where in them the line to a given layer leaves.
class Trunks {
 public:
  Trunks(const LayeredGraph& layered, std::span<const LayoutNode> nodes, std::span<const Column> columns,
         std::span<const double> centre_y_px, Layout& layout)
      : layered_(layered), columns_(columns), layout_(layout), points_until_(layered.item_count()) {
    std::vector<bool> branches(layered.item_count(), false);  // a line to a user leaves here
    for (const LayerLine& line : layered.lines) {
      if (line.arc != kNoArc) branches[line.from] = true;
    }
    first_point_.reserve(nodes.size());
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      const auto y = static_cast<float>(centre_y_px[node]);
      first_point_.push_back(point_count());
      add_point(layout.x_px[node] + nodes[node].width_px, y);
      points_until_[node] = 1;
      if (layered.right.of(node).empty()) continue;
      extend(node, y, true);
      for (std::uint32_t piece = layered.first_piece[node]; piece < layered.first_piece[node + 1]; ++piece) {
        const auto piece_y = static_cast<float>(centre_y_px[piece]);
        if (piece_y != last_y()) add_point(columns[layered.layer[piece]].left_px, piece_y);
        extend(piece, piece_y, branches[piece] || bends_after(piece, node, centre_y_px));
      }
    }
  }

  std::uint32_t first_point(std::uint32_t node) const { return first_point_[node]; }
  // Points from the first one to the right end of the item's column.
  std::uint32_t points_until(std::uint32_t item) const { return points_until_[item]; }

 private:
  std::uint32_t point_count() const { return static_cast<std::uint32_t>(layout_.points_px.size() / 2); }
  float last_x() const { return layout_.points_px[layout_.points_px.size() - 2]; }
  float last_y() const { return layout_.points_px.back(); }

  void add_point(float x, float y) {
    layout_.points_px.push_back(x);
    layout_.points_px.push_back(y);
  }

  // Leads the trunk on to the right end of the item's column. A point there is left out where the trunk just goes on.
  void extend(std::uint32_t item, float y, bool needed) {
    const float x = columns_[layered_.layer[item]].right_px;
    if (needed && x > last_x()) add_point(x, y);
    points_until_[item] = point_count() - first_point_.back();
  }

  bool bends_after(std::uint32_t piece, std::uint32_t node, std::span<const double> centre_y_px) const {
    const bool last = piece + 1 == layered_.first_piece[node + 1];
    return last || static_cast<float>(centre_y_px[piece + 1]) != static_cast<float>(centre_y_px[piece]);
  }

  const LayeredGraph& layered_;
  std::span<const Column> columns_;
  Layout& layout_;
  std::vector<std::uint32_t> first_point_;   // by node
  std::vector<std::uint32_t> points_until_;  // by item
};

}  // namespace

void route_edges(const AcyclicGraph& graph, const LayeredGraph& layered, std::span<const LayoutNode> nodes,
                 std::span<const LayoutEdge> edges, std::span<const Column> columns,
                 std::span<const double> centre_y_px, std::span<const float> entry_offset_px, Layout& layout) {
  const Trunks trunks(layered, nodes, columns, centre_y_px, layout);
  layout.routes.resize(edges.size());
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge) {
    EdgeRoute& route = layout.routes[edge];
    const std::uint32_t arc = graph.arc_of_edge[edge];
    if (arc == kNoArc) {
      const std::uint32_t node = edges[edge].user;
      if (node >= nodes.size() || edges[edge].source != node) continue;  // it names no node
      route = {trunks.first_point(node), 1, layout.x_px[node], static_cast<float>(centre_y_px[node]), true, false};
      ++layout.cut_edges;
      continue;
    }
    const auto [tail, head, port] = graph.arcs[arc];
    route.first_point = trunks.first_point(tail);
    route.cut = layered.cut[arc];
    route.reversed = graph.reversed[edge];
    route.point_count = route.cut ? 1 : trunks.points_until(layered.carrier(tail, layered.layer[head] - 1));
    route.end_x_px = layout.x_px[head];
    route.end_y_px = static_cast<float>(centre_y_px[head]) + entry_offset_px[arc];
    if (route.cut) ++layout.cut_edges;
  }
}

}  // namespace vizd
