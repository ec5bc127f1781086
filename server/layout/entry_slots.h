// EntrySlots: where on its user's left side an arc ends. Each arc has a slot of its own, spread evenly over the side,
// cut ones too. Slots follow the order of the operands where that makes no lines cross, which is so for most nodes
// since the order starts from the operands; else the drawn arcs share out their slots from top to bottom as their lines
// arrive. Internal to layout; pure.
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
