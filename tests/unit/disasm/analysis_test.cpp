// llvm-mca's answers as vizd and the reference read them; other machines' disassemblers' text.
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "disasm/compile.h"
#include "disasm/disassemble.h"
#include "disasm/foreign_disassembly.h"
#include "disasm/machine_analysis.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::analysis_test {

namespace {

std::string read_text(const std::string& name) {
  std::ifstream file(test_data("programs/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Instruction> loop_of_sum() {
  const std::string bytes = read_text("sum.dwarf4.x86-64.o");
  const auto object = read_object(std::as_bytes(std::span(bytes)), Architecture::kUnknown);
  REQUIRE(object);
  return disassemble(*object)->instructions;
}

}  // namespace

TEST_CASE("the table of a run equals the reference's") {
  const auto table = reference_table(read_text("loop.mca.json"));
  REQUIRE(table);
  CHECK(nlohmann::json::parse(*table) == nlohmann::json::parse(read_text("loop.reference.json")));
  CHECK_FALSE(reference_table("{}"));
  CHECK_FALSE(reference_table("not JSON"));
}

TEST_CASE("jumps are given to llvm-mca with a name") {
  const std::string text = assembly_text(Architecture::kX86_64, loop_of_sum());
  CHECK(text.starts_with(".intel_syntax noprefix\n"));
  CHECK(text.find("jne\t.Lvizd\n") != std::string::npos);
  CHECK(text.find("movss\txmm1, dword ptr [rsi + rcx*4]\n") != std::string::npos);
}

TEST_CASE("a loop is analysed for a processor of the list") {
  const Toolchain tools("/usr/bin:/bin");
  const auto instructions = loop_of_sum();
  CHECK_FALSE(analyse_machine_code(tools, Architecture::kX86_64, instructions, "--help"));
  CHECK_FALSE(analyse_machine_code(tools, Architecture::kNvidia, instructions, "native"));
  const auto missing = analyse_machine_code(Toolchain(""), Architecture::kX86_64, instructions, "skylake");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find("package llvm") != std::string::npos);
  if (!tools.has(Tool::kLlvmMca)) {
    WARN("skipped: llvm-mca is not installed");
    return;
  }
  const auto analysis = analyse_machine_code(tools, Architecture::kX86_64, instructions, "skylake");
  REQUIRE(analysis);
  CHECK(analysis->cpu == "skylake");
  CHECK(analysis->costs.size() + analysis->unknown.size() == instructions.size());
  CHECK(analysis->unknown.empty());
  CHECK(analysis->cycles > 0);
  CHECK_FALSE(analysis->pressure.empty());
  for (const InstructionCost& cost : analysis->costs) {
    for (const ResourceUse& use : cost.resources) CHECK(use.resource < analysis->resources.size());
  }
}

TEST_CASE("an instruction that llvm-mca does not know is left out, not the others") {
  const Toolchain tools("/usr/bin:/bin");
  if (!tools.has(Tool::kLlvmMca)) return;
  auto instructions = loop_of_sum();
  instructions[1].mnemonic = "nonsense";
  const auto analysis = analyse_machine_code(tools, Architecture::kX86_64, instructions, "skylake");
  REQUIRE(analysis);
  CHECK(analysis->unknown == std::vector<std::uint32_t>{1});
  CHECK(analysis->costs.size() == instructions.size() - 1);
  CHECK(analysis->costs[1].instruction == 2);
  // Data between instructions moves no figure to its neighbour.
  instructions[1].mnemonic = ".byte";
  instructions[1].operands = "0xc4";
  const auto with_data = analyse_machine_code(tools, Architecture::kX86_64, instructions, "skylake");
  REQUIRE(with_data);
  CHECK(with_data->unknown == std::vector<std::uint32_t>{1});
  CHECK(with_data->costs[1].instruction == 2);
}

TEST_CASE("a processor whose model lacks an instruction is refused by name; for the machine's own another stands in") {
  const Toolchain tools("/usr/bin:/bin");
  if (!tools.has(Tool::kLlvmMca) || host_architecture() != Architecture::kX86_64) return;
  auto instructions = loop_of_sum();
  instructions[1].mnemonic = "vaddps";
  instructions[1].operands = "zmm0, zmm1, zmm2";
  const auto of_zen3 = analyse_machine_code(tools, Architecture::kX86_64, instructions, "znver3");
  REQUIRE_FALSE(of_zen3);
  CHECK(of_zen3.error().message.find("znver3 lacks vaddps zmm0, zmm1, zmm2; choose") != std::string::npos);
  const auto of_machine = analyse_machine_code(tools, Architecture::kX86_64, instructions, "native");
  REQUIRE(of_machine);
  CHECK(of_machine->costs.size() == instructions.size());
  CHECK((of_machine->lacked.empty() || of_machine->lacked == "vaddps zmm0, zmm1, zmm2"));
  CHECK(reference_analysis(tools, Architecture::kX86_64, instructions));
}

TEST_CASE("llvm-objdump's text of AMDGPU and RISC-V is read with jumps") {
  const auto amd = read_objdump(
      "\n/tmp/a.o:\tfile format elf64-amdgpu\n\n0000000000000000 <k>:\n"
      "\ts_mov_b32 s3, 0                                            // 000000000010: BE830080\n"
      "\tglobal_store_dword v0, v1, s[0:1]                          // 000000000024: DC708000 00000100\n"
      "\ts_cbranch_scc1 65527                                       // 000000000038: BF85FFF7 <k+0x18>\n"
      "\ts_endpgm                                                   // 00000000003C: BF810000\n");
  REQUIRE(amd.size() == 4);
  CHECK(amd[1].mnemonic == "global_store_dword");
  CHECK(amd[1].operands == "v0, v1, s[0:1]");
  CHECK(amd[1].size_bytes == 8);
  CHECK(amd[2].target == 0x18);
  CHECK(amd[2].falls_through);
  CHECK_FALSE(amd[3].falls_through);
  const auto riscv = read_objdump(
      "       0: 01 46        \tli\ta2, 0\n      12: e5 fd        \tbnez\ta1, 0xa <f+0xa>\n"
      "      16: 82 80        \tret\n");
  REQUIRE(riscv.size() == 3);
  CHECK(riscv[0].bytes == "0146");
  CHECK(riscv[1].target == 0xA);
  CHECK(riscv[1].falls_through);
  CHECK_FALSE(riscv[2].falls_through);
}

TEST_CASE("nvdisasm's text is read with guards and jumps") {
  const auto code = read_nvdisasm(
      "\t.headerflags\t@\"EF_CUDA_SM80\"\n.text.k:\n"
      "        /*0000*/                   MOV R1, c[0x0][0x28] ;\n"
      "        /*0010*/              @!P0 BRA 0x40 ;\n        /*0020*/                   EXIT ;\n");
  REQUIRE(code.size() == 3);
  CHECK(code[0].mnemonic == "MOV");
  CHECK(code[1].operands == "@!P0 0x40");
  CHECK(code[1].target == 0x40);
  CHECK(code[1].falls_through);
  CHECK_FALSE(code[2].falls_through);
}

}  // namespace vizd::analysis_test
