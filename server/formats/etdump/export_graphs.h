// The graphs of an ETRecord as a capture's contexts: each method one, its export a pass from the ATen program to the
// edge program to what is left of that once delegates took their parts, with times and numeric gaps on their ops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "formats/etdump/dump_blocks.h"
#include "model/capture.h"

namespace vizd::etdump {

// How far the values of a block's nodes are from those of a reference, by debug handle: for whoever compares them.
using ErrorsByHandle = std::map<std::int64_t, double>;
using FindErrors = std::function<ErrorsByHandle(const DumpBlocks& dump, std::size_t block)>;

// Adds the contexts, before tracks refer to them, in the order of the record's methods that have a graph. Without
// blocks the ops carry no numbers; find_errors may be null: nothing is compared.
void add_graphs(const DumpBlocks& dump, const FindErrors& find_errors, Capture& capture);

// The context that add_graphs() makes of a method, in a capture without any other; none of one without a graph.
std::optional<ContextId> context_of(const EtRecord& record, const Method* method);

}  // namespace vizd::etdump
