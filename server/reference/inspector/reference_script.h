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
};

// The script for the graph that numeric gaps refer to (reference_graph). Errors: no such method; no node has a debug
// handle.
Result<std::string> reference_script(const etdump::EtRecord& record, const ScriptOptions& options);

}  // namespace vizd::inspector
