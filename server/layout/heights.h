// Finds the y of every item's centre, for a given order. Lines pull their ends to one height; each layer in turn is
// put where the pulls are best met while its items keep their order and distances, which is isotonic regression and has
// an exact answer. An anchor is one more pull. Internal to layout; pure.
#pragma once

#include <span>
#include <vector>

#include "layout/layer_order.h"
#include "layout/layered_graph.h"
#include "layout/layout.h"

namespace vizd {

// entry_offset_px is by arc, see entry_slots.h. The least top edge is at 0.
std::vector<double> assign_heights(const LayeredGraph& layered, const LayerOrder& order,
                                   std::span<const LayoutNode> nodes, std::span<const float> entry_offset_px,
                                   const LayoutOptions& options);

}  // namespace vizd
