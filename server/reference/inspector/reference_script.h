// The few lines of Python that run an ETRecord's reference graph, and leave its nodes' values as --reference-tensors
// reads them: vizd reads graphs and runs none. Pure functions.
#pragma once

#include <string>

#include "base/result.h"
#include "formats/etdump/etrecord.h"

namespace vizd::inspector {

struct ScriptOptions {
  std::string record;  // the ETRecord's file, as the script is to open it
  std::string method;  // "": the first
  // "exported_program", "aten", "edge", "edge_dialect_exported_program" or a name that the record has for a graph of
  // its own; "": the one that numeric gaps are told of (reference_graph).
  std::string graph;
};

// Errors: no such method or graph, with those that there are; one of which no node has a debug handle.
Result<std::string> reference_script(const etdump::EtRecord& record, const ScriptOptions& options);

}  // namespace vizd::inspector
