// From an object file to instructions: x86-64 and AArch64 by capstone. Pure; any thread.
#pragma once

#include <span>

#include "base/result.h"
#include "disasm/instruction.h"
#include "disasm/object_file.h"

namespace vizd {

// Whether disassemble() knows the machine. The others are for disassemble_with_tools() (foreign_disassembly.h).
bool can_disassemble(Architecture architecture);

// Where capstone knows no instruction, or may misread it, that of `others` is taken which begins there (by address; see
// undecoded.h), else bytes become ".byte" ones. At most kMostInstructions. Errors: a machine that is not known.
Result<Disassembly> disassemble(const ObjectFile& object, std::span<const Instruction> others = {});

// As the reference prints it: tinygrad's capstone_flatdump (helpers.py), a line an instruction.
std::string flat_dump(const Disassembly& disassembly);

// Gives each instruction its line of the source.
void add_lines(std::vector<Instruction>& instructions, const std::vector<CodeLine>& lines);

}  // namespace vizd
