// Finds the modules of the user's model that an event stands in. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "formats/etdump/blocks.h"

namespace vizd::etdump {

// The levels that all nodes of an event share, outermost first.
std::vector<ModuleLevel> common_levels(const Block& block, const BlockEvent& event);

// The path of the deepest of them; "" where there is none.
std::string common_module_path(const Block& block, const BlockEvent& event);

}  // namespace vizd::etdump
