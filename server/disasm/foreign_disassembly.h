// Disassembly of machines that vizd does not know by itself, by a program of their tool chain: llvm-objdump for AMDGPU
// and RISC-V, nvdisasm for NVIDIA's. The bytes come from a capture: the program runs as a child that is trusted with
// nothing (child_program.h). Any thread; waits.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "disasm/instruction.h"
#include "disasm/toolchain.h"

namespace vizd {

// Which program an architecture needs.
Tool disassembler_of(Architecture architecture);

// Disassembles an object file. Registers and memory operands are not known then. Errors: the program is not installed
// (and the package that brings it), or cannot read the file.
Result<Disassembly> disassemble_with_tools(const Toolchain& tools, Architecture architecture,
                                           std::span<const std::byte> bytes);

// The two programs' text. Lines that are no instruction are passed over.
std::vector<Instruction> read_objdump(std::string_view text);
std::vector<Instruction> read_nvdisasm(std::string_view text);

}  // namespace vizd
