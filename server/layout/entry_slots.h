// Finds where on its user's left side an arc ends. Each port of the user has a slot, spread evenly over the side,
// those of cut arcs too. Slots are in the order of the ports where that makes no lines cross, which is so for most
// nodes since the order starts from the operands; else the drawn ports share out their slots from top to bottom as
// their lines arrive. In a union graph several sources may read into one port, at different states; they share its
// slot. Internal to layout; pure.
#pragma once

#include <span>
#include <vector>

#include "layout/acyclic_graph.h"
#include "layout/layer_order.h"
#include "layout/layered_graph.h"
#include "layout/layout.h"

namespace vizd {

// By arc: the y of its end less that of its head's centre.
std::vector<float> entry_offsets(const AcyclicGraph& graph, const LayeredGraph& layered, const LayerOrder& order,
                                 std::span<const LayoutNode> nodes);

}  // namespace vizd
