// The graphs of an ETRecord as a capture's contexts: each method one, its export a pass from the ATen program to the
// edge program to what is left of that once delegates took their parts, with times and numeric gaps on their ops.
#pragma once

#include <optional>

#include "formats/etdump/inspection.h"
#include "model/capture.h"

namespace vizd::etdump {

// Adds the contexts, before tracks refer to them, in the order of the record's methods that have a graph. Without
// events, inspection's blocks are empty and the ops carry no numbers.
void add_graphs(const Inspection& inspection, Capture& capture);

// The context that add_graphs() makes of a method, in a capture without any other; none of one without a graph.
std::optional<ContextId> context_of(const EtRecord& record, const Method* method);

}  // namespace vizd::etdump
