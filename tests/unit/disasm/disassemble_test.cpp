// From bytes to instructions, blocks and loops; broken object files are refused without harm.
#include "disasm/disassemble.h"

#include <array>
#include <cstring>

#include "disasm/control_flow.h"
#include "disasm/object_file.h"
#include "disasm/register_family.h"
#include "support/catch.h"

namespace vizd::disassemble_test {

namespace {

template <typename... Values>
std::vector<std::byte> bytes_of(Values... values) {
  return {static_cast<std::byte>(values)...};
}

Disassembly disassemble_raw(const std::vector<std::byte>& code, Architecture architecture) {
  const auto object = read_object(code, architecture);
  REQUIRE(object);
  auto result = disassemble(*object);
  REQUIRE(result);
  return std::move(*result);
}

// sum: eax = 0; for (rcx = 0; rcx != 64; rcx += 4) eax += [rdi + rcx]; ret
const std::vector<std::byte> kLoop = bytes_of(0x31, 0xC0,              // xor eax, eax
                                              0x31, 0xC9,              // xor ecx, ecx
                                              0x03, 0x04, 0x0F,        // add eax, [rdi + rcx]
                                              0x48, 0x83, 0xC1, 0x04,  // add rcx, 4
                                              0x48, 0x83, 0xF9, 0x40,  // cmp rcx, 64
                                              0x75, 0xF3,              // jne 4
                                              0xC3);                   // ret

}  // namespace

TEST_CASE("x86-64 instructions know registers, memory and targets") {
  const Disassembly code = disassemble_raw(kLoop, Architecture::kX86_64);
  REQUIRE(code.instructions.size() == 7);
  const Instruction& load = code.instructions[2];
  CHECK(load.address == 4);
  CHECK(load.bytes == "03040f");
  CHECK(load.mnemonic == "add");
  CHECK(load.operands == "eax, dword ptr [rdi + rcx]");
  CHECK(load.writes == std::vector<std::string>{"rax"});
  CHECK(load.reads == std::vector<std::string>{"rax", "rdi", "rcx"});
  REQUIRE(load.memory.size() == 1);
  CHECK(load.memory[0].base == "rdi");
  CHECK(load.memory[0].index == "rcx");
  CHECK(load.memory[0].size_bytes == 4);
  CHECK(load.memory[0].is_read);
  CHECK_FALSE(load.memory[0].is_written);
  CHECK(load.kind == InstructionKind::kInteger);
  CHECK_FALSE(load.target);
  CHECK(code.instructions[4].kind == InstructionKind::kCompare);
  const Instruction& jump = code.instructions[5];
  CHECK(jump.kind == InstructionKind::kBranch);
  CHECK(jump.target == 4);
  CHECK(jump.falls_through);
  CHECK_FALSE(code.instructions[6].falls_through);
  CHECK(code.families.at("eax") == "rax");
}

TEST_CASE("a vector move to memory is a store, which reads its registers") {
  // vmovups [rdi], ymm1; vmovups ymm1, [rdi]
  const Disassembly code =
      disassemble_raw(bytes_of(0xC5, 0xFC, 0x11, 0x0F, 0xC5, 0xFC, 0x10, 0x0F), Architecture::kX86_64);
  REQUIRE(code.instructions.size() == 2);
  CHECK(code.instructions[0].kind == InstructionKind::kStore);
  CHECK(code.instructions[0].memory[0].is_written);
  CHECK_FALSE(code.instructions[0].memory[0].is_read);
  CHECK(code.instructions[0].writes.empty());
  CHECK(code.instructions[1].kind == InstructionKind::kLoad);
  CHECK(code.instructions[1].writes == std::vector<std::string>{"zmm1"});
}

TEST_CASE("AArch64 instructions know registers, memory and targets") {
  // ldr q0, [x0, #16]; str w1, [x2]; cbnz x3, -8; ret
  const Disassembly code = disassemble_raw(
      bytes_of(0x00, 0x04, 0xC0, 0x3D, 0x41, 0x00, 0x00, 0xB9, 0xC3, 0xFF, 0xFF, 0xB5, 0xC0, 0x03, 0x5F, 0xD6),
      Architecture::kAarch64);
  REQUIRE(code.instructions.size() == 4);
  CHECK(code.instructions[0].mnemonic == "ldr");
  CHECK(code.instructions[0].kind == InstructionKind::kLoad);
  CHECK(code.instructions[0].writes == std::vector<std::string>{"v0"});
  REQUIRE(code.instructions[0].memory.size() == 1);
  CHECK(code.instructions[0].memory[0].base == "x0");
  CHECK(code.instructions[0].memory[0].displacement == 16);
  CHECK(code.instructions[1].kind == InstructionKind::kStore);
  CHECK(code.instructions[1].memory[0].is_written);
  CHECK(code.instructions[2].target == 0);
  CHECK(code.instructions[2].falls_through);
  CHECK_FALSE(code.instructions[3].falls_through);
}

TEST_CASE("bytes that are no instruction are shown as bytes") {
  const Disassembly code = disassemble_raw(bytes_of(0x06, 0xC3), Architecture::kX86_64);
  REQUIRE(code.instructions.size() == 2);
  CHECK(code.instructions[0].mnemonic == ".byte");
  CHECK(code.instructions[1].mnemonic == "ret");
}

TEST_CASE("the flat dump is the reference's") {
  const Disassembly code = disassemble_raw(bytes_of(0x31, 0xC0, 0xC3), Architecture::kX86_64);
  CHECK(flat_dump(code) == "0x000000: xor\teax, eax\n0x000002: ret\t\n");
}

TEST_CASE("parts of a register are of its family") {
  const auto x86 = [](const char* name) { return register_family(Architecture::kX86_64, name); };
  CHECK(x86("ah") == "rax");
  CHECK(x86("sil") == "rsi");
  CHECK(x86("ebp") == "rbp");
  CHECK(x86("r10d") == "r10");
  CHECK(x86("xmm15") == "zmm15");
  CHECK(x86("k1") == "k1");
  CHECK(x86("rip") == "");
  const auto arm = [](const char* name) { return register_family(Architecture::kAarch64, name); };
  CHECK(arm("w7") == "x7");
  CHECK(arm("s31") == "v31");
  CHECK(arm("wsp") == "sp");
  CHECK(arm("lr") == "x30");
  CHECK(arm("xzr") == "");
}

TEST_CASE("a loop is found with its head and its blocks") {
  const Disassembly code = disassemble_raw(kLoop, Architecture::kX86_64);
  const ControlFlow flow = find_control_flow(code.instructions);
  REQUIRE(flow.blocks.size() == 3);
  CHECK(flow.blocks[1].first == 2);
  CHECK(flow.blocks[1].count == 4);
  REQUIRE(flow.edges.size() == 3);
  CHECK(flow.edges[1].from == 1);
  CHECK((flow.edges[1].is_jump || flow.edges[2].is_jump));
  REQUIRE(flow.loops.size() == 1);
  CHECK(flow.loops[0].head == 1);
  CHECK(flow.loops[0].blocks == std::vector<std::uint32_t>{1});
  CHECK(flow.blocks[1].depth == 1);
  CHECK(flow.blocks[2].depth == 0);
}

TEST_CASE("loops in loops have depths and parents") {
  // 0: nop; 1: nop; 2: nop; 3: jne 2; 5: jne 1; 7: ret
  const Disassembly code =
      disassemble_raw(bytes_of(0x90, 0x90, 0x90, 0x75, 0xFD, 0x75, 0xFA, 0xC3), Architecture::kX86_64);
  const ControlFlow flow = find_control_flow(code.instructions);
  REQUIRE(flow.loops.size() == 2);
  CHECK(flow.loops[0].depth == 1);
  CHECK(flow.loops[1].parent == 0);
  CHECK(flow.loops[1].depth == 2);
  CHECK(flow.blocks[flow.loops[1].head].depth == 2);
}

TEST_CASE("padding before a loop is no way into it") {
  // 0: jmp 5; 2: nop; 3: inc eax; 5: dec eax; 7: jne 3; 9: ret
  const Disassembly code =
      disassemble_raw(bytes_of(0xEB, 0x03, 0x90, 0xFF, 0xC0, 0xFF, 0xC8, 0x75, 0xFA, 0xC3), Architecture::kX86_64);
  const ControlFlow flow = find_control_flow(code.instructions);
  REQUIRE(flow.loops.size() == 1);
  CHECK(flow.blocks[flow.loops[0].head].depth == 1);
  REQUIRE(flow.blocks.size() == 5);
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) CHECK(flow.blocks[b].is_padding == (b == 1));
}

TEST_CASE("no code, no blocks; a lone jump to itself is a loop") {
  CHECK(find_control_flow({}).blocks.empty());
  const Disassembly code = disassemble_raw(bytes_of(0xEB, 0xFE), Architecture::kX86_64);
  CHECK(find_control_flow(code.instructions).loops.size() == 1);
}

TEST_CASE("limits: of a program of more than 200,000 instructions so many are shown") {
  const std::vector<std::byte> nothing(kMostInstructions + 1, std::byte{0x90});
  const Disassembly code = disassemble_raw(nothing, Architecture::kX86_64);
  CHECK(code.instructions.size() == kMostInstructions);
  CHECK(code.truncated);
}

}  // namespace vizd::disassemble_test
