// The time of a block by the modules of the user's model. What runs for several modules at once, as a fused call of a
// delegate does, is time of the module that they share, and counted once. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "formats/etdump/blocks.h"

namespace vizd::inspector {

using namespace etdump;

struct ModuleRow {
  std::string path, type;  // "blocks.0.attn"; "" for the model itself
  std::size_t depth = 0;
  double self = 0, total = 0;  // averages of an iteration, in target units
  std::size_t events = 0;      // of self
};

// Modules with time in them, each before what is in it, in order of first appearance.
std::vector<ModuleRow> module_tree(const Block& block);

}  // namespace vizd::inspector
