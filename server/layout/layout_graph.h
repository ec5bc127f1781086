// Layered layout of one graph, left (sources) to right (users): ranks, one trunk per source, cut of long edges, order,
// coordinates. Pure: the same input gives the same output, on every machine and under any load, since work is
// budgeted by counted steps and never by the clock. Any thread. The method and its reasons: layout/README.md.
#pragma once

#include <span>

#include "layout/layout.h"

namespace vizd {

// Errors: none; an edge that names no node is ignored. O((V + E) log V) beside the budgeted work.
Layout layout_graph(std::span<const LayoutNode> nodes, std::span<const LayoutEdge> edges, const LayoutOptions& options);

}  // namespace vizd
