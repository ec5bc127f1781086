// What an instruction mostly does, from its name and what it touches. Pure; any thread.
#pragma once

#include "disasm/instruction.h"

namespace vizd {

// Of an instruction that is whole but for its kind. Jumps and calls are known before: their kind is left as it is.
InstructionKind kind_of(Architecture architecture, const Instruction& instruction);

}  // namespace vizd
