// Registers and memory operands read from an instruction's text, for those that capstone does not know. x86-64 as Intel
// writes it, and AArch64. Pure; any thread.
#pragma once

#include <map>
#include <string>

#include "disasm/instruction.h"

namespace vizd {

// Fills in reads, writes and memory from mnemonic and operands: the first operand is written (of a store all are read),
// as it is with nearly all vector instructions. families: see Disassembly.
void add_operands(Architecture architecture, Instruction& instruction, std::map<std::string, std::string>& families);

}  // namespace vizd
