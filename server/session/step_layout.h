// StepLayout: where the nodes of a step lie over a range of states, from one layout of the union of their graphs, so
// that nothing moves while a person goes from state to state.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "layout/layout.h"
#include "rewrite/history.h"

namespace vizd {

struct StepLayout {
  // By node of the history. Nodes that are no box of their own in these states have a width of 0 and no place.
  std::vector<LayoutNode> sizes;
  std::vector<float> x_px;  // left edge
  std::vector<float> y_px;  // top edge
  // By edge of the history; of edges that are not drawn in these states there is no point.
  std::vector<EdgeRoute> routes;
  std::vector<float> points_px;
  float width_px = 0;
  float height_px = 0;
  bool ranks_optimal = false;

  std::size_t memory_bytes() const;
};

// Lays out the states from to to, both inclusive; each box as large as the largest of its labels there. Any thread.
StepLayout lay_out_states(const History& history, std::uint32_t from, std::uint32_t to, std::stop_token stop);

}  // namespace vizd
