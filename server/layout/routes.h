// Draws each edge's polyline over the placed graph. Lines run level across a column, between its nodes, and slant
// only in the gaps, so that none passes through a node. Internal to layout; pure.
#pragma once

#include <span>
#include <vector>

#include "layout/acyclic_graph.h"
#include "layout/layered_graph.h"
#include "layout/layout.h"

namespace vizd {

struct Column {
  float left_px = 0;
  float right_px = 0;
};

// Fills in the layout's routes, points_px and cut_edges; x_px, y_px and rank are there already. y_px is by item, the
// centre.
void route_edges(const AcyclicGraph& graph, const LayeredGraph& layered, std::span<const LayoutNode> nodes,
                 std::span<const LayoutEdge> edges, std::span<const Column> columns,
                 std::span<const double> centre_y_px, std::span<const float> entry_offset_px, Layout& layout);

}  // namespace vizd
