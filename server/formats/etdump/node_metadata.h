// What the user's own Python said of a node, as a program's JSON keeps it: its debug handle, stack trace, modules and
// origins. Pure functions.
#pragma once

#include "formats/etdump/exported_program.h"
#include "formats/etdump/json_document.h"

namespace vizd::etdump {

void read_metadata(simdjson::dom::element metadata, ProgramNode& node);

}  // namespace vizd::etdump
