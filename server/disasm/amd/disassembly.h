// A program of AMD's as the Program view shows it: vizd's own instruction text, blocks and jumps. Pure; any thread.
#pragma once

#include "disasm/amd/code_listing.h"
#include "disasm/instruction.h"

namespace vizd::amd {

// Without the padding behind the program's end. At most kMostInstructions.
Disassembly disassembly_of(const CodeListing& listing);

}  // namespace vizd::amd
