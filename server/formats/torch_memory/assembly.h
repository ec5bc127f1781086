// Makes a whole snapshot of the rows that came of its pickle: puts segments and traces in order, and leaves out and
// counts what makes no sense.
#pragma once

#include "formats/torch_memory/snapshot_sink.h"

namespace vizd::torch_memory {

// root: what the pickle is. Errors, without a place: it is no snapshot.
Result<void> assemble(SnapshotSink& sink, pickle::Node root, Snapshot& out);

}  // namespace vizd::torch_memory
