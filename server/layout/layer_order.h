// LayerOrder: from top to bottom, the items of each layer. Where to start, and how many lines cross. Internal to
// layout.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/acyclic_graph.h"
#include "layout/layered_graph.h"
#include "layout/layout.h"

namespace vizd {

struct LayerOrder {
  std::vector<std::vector<std::uint32_t>> layers;  // items from the top
  std::vector<std::uint32_t> position;             // by item, in its layer

  void renumber(std::uint32_t layer);
};

// Depth first from the sinks in operand order: a tree comes out without a crossing, operands from the top.
LayerOrder depth_first_order(const AcyclicGraph& graph, const LayeredGraph& layered);

// As the anchors have it, items without one near their neighbours.
LayerOrder anchored_order(const AcyclicGraph& graph, const LayeredGraph& layered, std::span<const float> anchor_y_px);

// Crossings of the lines between a layer and the next one; O(L log W) for L lines and W items, by an accumulator tree
// (Barth, Jünger and Mutzel 2002).
std::uint64_t count_line_crossings(const LayeredGraph& layered, const LayerOrder& order, std::uint32_t layer);

}  // namespace vizd
