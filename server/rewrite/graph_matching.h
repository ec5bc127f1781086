// Which op of a graph went on as which of the next, where a capture has whole graphs and no matches: by the identity
// that the compiler gave its ops, else by what they are, what they read and where they stand.
#pragma once

#include <utility>
#include <vector>

#include "rewrite/live_graph.h"

namespace vizd {

// Pairs of an op that died in the state that just ended and one that was born in it, sources before users; the last is
// that of the roots, where these differ. Costs what changed. An op that is in both graphs is in no pair.
std::vector<std::pair<OpId, OpId>> match_graphs(const LiveGraph& graph, OpId old_root);

}  // namespace vizd
