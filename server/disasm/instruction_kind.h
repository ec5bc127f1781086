// Tells from an instruction's name and operands what it mostly does. Pure; any thread.
#pragma once

#include "disasm/instruction.h"

namespace vizd {

// The instruction is whole except for its kind. Jumps and calls are known before: their kind is left as it is.
InstructionKind kind_of(Architecture architecture, const Instruction& instruction);

}  // namespace vizd
