// Words what the pickle machine does not take. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "formats/pickle/opcodes.h"
#include "formats/pickle/tree.h"

namespace vizd::pickle {

// "None", "a text", "an object".
std::string_view kind_name(Node node);

// Why an opcode is not run, and what to do.
std::string refusal_of(Opcode opcode);

}  // namespace vizd::pickle
