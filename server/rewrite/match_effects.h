// Works out the effect of each match of a pass on its graph: how many nodes came and went, whether anything changed at
// all, and whether a later match took it back. Pure; any thread.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "rewrite/history.h"

namespace vizd {

struct MatchEffect {
  std::uint32_t added = 0;  // nodes
  std::uint32_t removed = 0;
  std::uint32_t undone_at = kNoId;  // the state whose graph is the one from before this match again; none: it stands
  bool changed = false;             // false: the graph is the one from before
};

// By match: effects[k - 1] is of the match that leads to state k. The history may be one without labels.
// Where the graphs of several states come back, the latest counts, so that a match is undone once at most.
// Costs nodes + edges + versions, and for each state that seems to come back what was touched since.
std::vector<MatchEffect> match_effects(const History& history);

}  // namespace vizd
