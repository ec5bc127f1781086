// Binaries of machines that vizd leaves to other programs: small objects of AMDGPU and RISC-V, and what nvdisasm
// prints.
#include "disasm/foreign_disassembly.h"

#include <algorithm>
#include <iterator>

#include "disasm/child_program.h"
#include "disasm/control_flow.h"
#include "disasm/instruction_kind.h"
#include "disasm/object_file.h"
#include "support/catch.h"
#include "support/test_data.h"

namespace vizd::foreign_disassembly_test {

namespace {

std::size_t count_of(const Disassembly& code, InstructionKind kind) {
  return static_cast<std::size_t>(std::count_if(code.instructions.begin(), code.instructions.end(),
                                                [&](const Instruction& i) { return i.kind == kind; }));
}

}  // namespace

TEST_CASE("AMDGPU's and RISC-V's objects are disassembled by llvm-objdump, with their loop") {
  const auto [name, architecture] = GENERATE(table<std::string, Architecture>(
      {{"add.gfx90a.o", Architecture::kAmdgpu}, {"sum.riscv64.o", Architecture::kRiscv64}}));
  INFO(name);
  const std::string bytes = read_test_data("programs/" + name);
  const auto binary = std::as_bytes(std::span(bytes));
  const auto object = read_object(binary, Architecture::kUnknown);
  REQUIRE(object);
  CHECK(object->architecture == architecture);
  const auto missing = disassemble_with_tools(Toolchain(""), architecture, binary);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find("package llvm") != std::string::npos);
  const Toolchain tools("/usr/bin:/bin");
  if (!tools.has(Tool::kLlvmObjdump)) {
    WARN("skipped: llvm-objdump is not installed");
    return;
  }
  const auto code = disassemble_with_tools(tools, architecture, binary);
  REQUIRE(code);
  CHECK(code->architecture == architecture);
  CHECK(code->tool.starts_with("llvm-objdump"));
  CHECK(count_of(*code, InstructionKind::kLoad) > 0);
  CHECK(count_of(*code, InstructionKind::kStore) > 0);
  CHECK(count_of(*code, InstructionKind::kFloat) > 0);
  const ControlFlow flow = find_control_flow(code->instructions);
  CHECK(flow.loops.size() == 1);
  // What follows the end (gfx90a has 64 s_nop there) is padding.
  CHECK(flow.blocks.back().is_padding == (architecture == Architecture::kAmdgpu));
}

TEST_CASE("nvdisasm's labels and functions are told apart") {
  const auto code = read_nvdisasm(
      ".text.first:\n        /*0000*/                   MOV R1, c[0x0][0x28] ;\n.L_x_0:\n"
      "        /*0010*/                   LDG.E R2, [R4] ;\n        /*0020*/              @P0 BRA `(.L_x_0) ;\n"
      "        /*0030*/                   BRA `(.L_nowhere) ;\n        /*0040*/                   EXIT ;\n.L_end:\n");
  REQUIRE(code.size() == 5);
  CHECK(code[2].target == 0x10);
  CHECK(code[2].falls_through);
  CHECK(code[3].is_jump);
  CHECK_FALSE(code[3].target);
  CHECK(kind_of(Architecture::kNvidia, code[1]) == InstructionKind::kLoad);
  for (const char* broken : {"`(", ".:\n", "/*0*/ BRA `( ;", "/*0*/ BRA `(.L) ;\n.L:"}) read_nvdisasm(broken);
}

// nvdisasm reads files only: it is given its standard input's name, which the sandbox must not keep from it.
TEST_CASE("a child may open its own input by name") {
  const auto run = ChildPrograms().run({"/bin/cat", "/proc/self/fd/0"}, "input", {});
  REQUIRE(run);
  CHECK(run->output == "input");
}

TEST_CASE("a binary that is no machine code is said to be what it is") {
  const auto refused = [](const std::string& bytes) {
    const auto object = read_object(std::as_bytes(std::span(bytes)), Architecture::kX86_64);
    return object ? "" : object.error().message;
  };
  CHECK(refused(".version 7.0\n.target sm_80\n").find("PTX") != std::string::npos);
  CHECK(refused(std::string(".version 7.0\n.target sm_80\n", 27) + '\0').find("PTX") != std::string::npos);
  CHECK(refused("MTLB\x01\x02").find("Metal") != std::string::npos);
  CHECK(refused("BC\xC0\xDE\x35").find("bitcode") != std::string::npos);
  CHECK(refused("\x31\xC0\xC3").empty());
  const auto unknown = disassemble_with_tools(Toolchain("/usr/bin"), Architecture::kUnknown, {});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message.find("does not know") != std::string::npos);
}

}  // namespace vizd::foreign_disassembly_test
