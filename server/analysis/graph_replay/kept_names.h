// What names the kernels of replays, as arguments of theirs: so a file of another format that a trace is written to
// keeps it without the captures beside the trace, and people see it there. Each name says how sure it is, then as now.
#pragma once

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {

// Whether a capture may have replays at all, at the cost of a look at its texts.
bool may_have_replays(const Capture& capture);

// Whether it has steps of a server.
bool may_have_steps(const Capture& capture);

// Adds to all work of replays of which any is named: replay, graph, node, found, operator, module, layer, layer_index,
// piece; those that are known. A track that has such arguments keeps its own. capture: the one that the replays are of.
void keep_names(Capture& capture, const GraphReplays& replays);

// Takes them for replays that nothing else names.
void take_kept_names(GraphReplays& made);

}  // namespace vizd
