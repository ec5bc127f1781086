// Layouts of a whole rewrite pass, so that nothing moves while a person scrubs through its states: one layout of all
// the nodes that live in a range of states, an epoch, of which each state shows those alive. Most passes are one epoch;
// where a graph grows or shrinks much, one layout for all would be mostly holes, and the pass is split. Each epoch's
// layout starts from the one before it, so that what they share stays near. Pure; any thread.
//
// Takes plain spans, not the history they come from, so that layout knows nothing of rewrites. Births and deaths are
// states: what is born at 3 and dies at 5 is there in states 3 and 4.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/layout.h"

namespace vizd {

// How large a node's box is from a state on, until its next one; a width of 0 where it is no box (it is drawn in its
// users' labels).
struct UnionBox {
  std::uint32_t state = 0;
  LayoutNode size;
};

struct UnionNode {
  std::uint32_t born = 0;
  std::uint32_t died = 0;
  std::uint32_t first_box = 0;  // its boxes lie one after another, by state
  std::uint32_t box_count = 0;
};

// user reads source as its sources[port].
struct UnionEdge {
  std::uint32_t source = 0;
  std::uint32_t user = 0;
  std::uint32_t port = 0;
  std::uint32_t born = 0;
  std::uint32_t died = 0;
};

struct UnionGraph {
  std::uint32_t state_count = 1;
  std::span<const UnionNode> nodes;
  std::span<const UnionBox> boxes;
  std::span<const UnionEdge> edges;
};

// States from to to, both inclusive.
struct Epoch {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

// Splits the states so that few layouts serve, none much larger than the states that it shows: see union_layout.cpp for
// the measure. At least one epoch; they follow each other without gaps.
std::vector<Epoch> find_epochs(const UnionGraph& graph);

struct EpochLayout {
  Epoch epoch;
  // By node of the union: the largest of its boxes in these states; a width of 0 where it is none, and has no place.
  std::vector<LayoutNode> sizes;
  std::vector<float> x_px;  // left edge
  std::vector<float> y_px;  // top edge
  std::vector<std::uint32_t> rank;
  std::vector<EdgeRoute> routes;  // by edge of the union; without points where it is not drawn in these states
  std::vector<float> points_px;
  float width_px = 0;
  float height_px = 0;
  std::uint32_t cut_edges = 0;
  bool ranks_optimal = false;

  std::size_t memory_bytes() const;
};

// Lays out one epoch, or any range of states: a state alone is what "compact this match's graph" shows. With previous,
// stays near it. Of the options, the anchors and the ranks to start from are filled in here.
EpochLayout lay_out_epoch(const UnionGraph& graph, Epoch epoch, const EpochLayout* previous, LayoutOptions options);

}  // namespace vizd
