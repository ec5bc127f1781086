// Instructions that capstone does not know yet (its version 4 lacks some of AVX, all of SVE) or misreads (some of
// AVX-512): llvm-objdump, where it is installed, says what they are. It gets the code alone, in an ELF file that vizd
// wrote, and runs as a child that is trusted with nothing (child_program.h). Any thread; waits.
#pragma once

#include "base/result.h"
#include "disasm/instruction.h"
#include "disasm/object_file.h"
#include "disasm/toolchain.h"

namespace vizd {

// Whether some of it is bytes only (".byte"), though code is expected there, or may be misread.
bool has_undecoded(const Disassembly& disassembly);

// Decodes the object's code with llvm-objdump, by address; disassemble() takes from it what it lacks. It gives text
// only, no registers and memory operands. Errors: the program is not installed, or failed.
Result<std::vector<Instruction>> decode_with_objdump(const Toolchain& tools, const ObjectFile& object);

// An executable ELF file of the object's machine code and nothing else.
std::string elf_of_code(const ObjectFile& object);

}  // namespace vizd
