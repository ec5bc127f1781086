// LayeredGraph: the graph as it is drawn, with lines only between neighbouring layers. Its items are the nodes and the
// trunk pieces: a source whose users lie more than a layer away has one trunk, a piece in each layer up to the last but
// one before its farthest user, and every user hangs on the trunk. So a source costs its reach, not the sum of its
// edges' lengths. Arcs longer than K layers, and all of hubs, are cut: they are drawn as stubs and are not in here.
// Internal to layout; plain data, never changed once built.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/acyclic_graph.h"
#include "layout/layout.h"
#include "layout/ranks.h"

namespace vizd {

// A line between neighbouring layers: a piece of a trunk (arc is kNoArc), or an arc's last stretch into its head.
struct LayerLine {
  std::uint32_t from = 0;  // items
  std::uint32_t to = 0;
  std::uint32_t arc = kNoArc;
};

struct LayeredGraph {
  std::uint32_t node_count = 0;
  std::uint32_t layer_count = 0;
  std::vector<std::uint32_t> layer;        // by item; items from node_count on are trunk pieces
  std::vector<std::uint32_t> first_piece;  // by node, and one more: the pieces of its trunk, left to right
  std::vector<LayerLine> lines;
  Adjacency left;         // by item: items of the layer before, in operand order
  Adjacency right;        // by item: items of the layer after
  std::vector<bool> cut;  // by arc

  std::uint32_t item_count() const { return static_cast<std::uint32_t>(layer.size()); }
  bool is_node(std::uint32_t item) const { return item < node_count; }
  // The item that carries the source's line in a layer: the source itself, or a piece of its trunk.
  std::uint32_t carrier(std::uint32_t source, std::uint32_t in_layer) const {
    return in_layer == layer[source] ? source : first_piece[source] + (in_layer - layer[source] - 1);
  }
};

LayeredGraph make_layered(const AcyclicGraph& graph, const Ranks& ranks, const LayoutOptions& options);

}  // namespace vizd
