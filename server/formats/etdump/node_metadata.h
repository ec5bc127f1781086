// Reads a node's metadata, which the user's own Python left in a program's JSON: its debug handle, stack trace, modules
// and origins. Pure functions.
#pragma once

#include "formats/etdump/exported_program.h"
#include "formats/etdump/json_document.h"

namespace vizd::etdump {

void read_metadata(simdjson::dom::element metadata, ProgramNode& node);

}  // namespace vizd::etdump
