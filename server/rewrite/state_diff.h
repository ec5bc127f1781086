// Tells how two states differ, node by node. In one pass nodes have identities; between two passes of a capture they
// are paired by what they are and where they stand. Pure; any thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "model/capture.h"
#include "rewrite/history.h"

namespace vizd {

// Every node that lives in one of the states is in exactly one of the lists (in one of each side's, where it is
// paired).
struct StateDiff {
  std::vector<NodeId> only_from;
  std::vector<NodeId> only_to;
  std::vector<std::pair<NodeId, NodeId>> changed;
  std::vector<std::pair<NodeId, NodeId>> same;
};

// Two states of one pass. A node is paired with itself; it has changed where its op has, or what it reads. One walk
// over the lives.
StateDiff diff_states(const History& history, std::uint32_t from, std::uint32_t to);

struct StateOf {
  const History& history;
  std::uint32_t state = 0;
};

// States of two passes of the capture. Nodes whose whole sub-graphs are equal are the same. Others are paired, as
// changed, where they are of one kind and read paired nodes, or are read by them, at the same port, beginning with the
// roots. Costs a walk over both graphs.
StateDiff diff_passes(const Capture& capture, const StateOf& from, const StateOf& to, const Budget& budget = Budget());

}  // namespace vizd
