// A node's biography: where it came from and what became of it. Its lives, versions and edges are the history's own.
#pragma once

#include <vector>

#include "model/capture.h"
#include "rewrite/history.h"

namespace vizd {

struct Biography {
  NodeId made_from{kNoId};       // what the match that made it matched; none: it was there from the start
  NodeId replaced_by{kNoId};     // what the match that removed it put there
  std::vector<NodeId> absorbed;  // what became equal to it and died
};

// Costs two passes over the graph. Any thread.
Biography biography_of(const Capture& capture, const Pass& pass, const History& history, NodeId node);

}  // namespace vizd
