// Instructions that capstone does not know: others are taken in their place, and the rest stays in step.
#include "disasm/undecoded.h"

#include "disasm/disassemble.h"
#include "disasm/operand_text.h"
#include "support/catch.h"

namespace vizd::undecoded_test {

namespace {

template <typename... Values>
std::vector<std::byte> bytes_of(Values... values) {
  return {static_cast<std::byte>(values)...};
}

ObjectFile object_of(Architecture architecture, std::span<const std::byte> bytes, std::uint64_t address = 0) {
  ObjectFile object;
  object.architecture = architecture;
  object.code.push_back({"code", address, bytes});
  return object;
}

Instruction with_operands(Architecture architecture, const char* mnemonic, const char* operands) {
  Instruction i;
  i.mnemonic = mnemonic, i.operands = operands;
  std::map<std::string, std::string> families;
  add_operands(architecture, i, families);
  return i;
}

// 0x06 begins no instruction of x86-64: 06 B8 FF; then xor eax, eax; ret.
const std::vector<std::byte> kUnknown = bytes_of(0x06, 0xB8, 0xFF, 0x31, 0xC0, 0xC3);

}  // namespace

TEST_CASE("bytes that capstone does not know are what others say they are, and the next instruction follows them") {
  const ObjectFile object = object_of(Architecture::kX86_64, kUnknown);
  const auto alone = disassemble(object);
  REQUIRE(alone);
  CHECK(has_undecoded(*alone));
  Instruction other;
  other.address = 0, other.size_bytes = 3, other.mnemonic = "vmade", other.operands = "ymm3, ymmword ptr [rdi]";
  const auto code = disassemble(object, std::vector{other});
  REQUIRE(code);
  CHECK_FALSE(has_undecoded(*code));
  REQUIRE(code->instructions.size() == 3);
  CHECK(code->instructions[0].mnemonic == "vmade");
  CHECK(code->instructions[0].writes == std::vector<std::string>{"zmm3"});
  CHECK(code->instructions[1].mnemonic == "xor");
  CHECK(code->instructions[1].address == 3);
  CHECK(code->families.at("ymm3") == "zmm3");
}

TEST_CASE("others that begin elsewhere, or reach beyond the code, are not taken") {
  const ObjectFile object = object_of(Architecture::kX86_64, kUnknown);
  for (const auto& [address, size_bytes] : {std::pair{1U, 2U}, std::pair{0U, 7U}, std::pair{0U, 0U}}) {
    Instruction other;
    other.address = address, other.size_bytes = size_bytes, other.mnemonic = "made";
    const auto code = disassemble(object, std::vector{other});
    REQUIRE(code);
    CHECK(has_undecoded(*code));
    CHECK(code->instructions.size() == disassemble(object)->instructions.size());
  }
}

TEST_CASE("AVX-512 that capstone misreads is what llvm-objdump says it is") {
  // vpgatherdd zmm6 {k2}, [rdx + 4*zmm3]; vfmadd213ss xmm0, xmm19, [rcx + r12 - 36]; vpmovm2d zmm1, k0; ret
  const auto bytes = bytes_of(0x62, 0xF2, 0x7D, 0x4A, 0x90, 0x34, 0x9A, 0x62, 0xB2, 0x65, 0x00, 0xA9, 0x44, 0x21, 0xF7,
                              0x62, 0xF2, 0x7E, 0x48, 0x38, 0xC8, 0xC3);
  const ObjectFile object = object_of(Architecture::kX86_64, bytes);
  const auto alone = disassemble(object);
  REQUIRE(alone);
  CHECK(has_undecoded(*alone));
  const Toolchain tools("/usr/bin:/bin");
  if (!tools.has(Tool::kLlvmObjdump)) {
    WARN("skipped: llvm-objdump is not installed");
    return;
  }
  const auto others = decode_with_objdump(tools, object);
  REQUIRE(others);
  const auto code = disassemble(object, *others);
  REQUIRE(code);
  CHECK_FALSE(has_undecoded(*code));
  REQUIRE(code->instructions.size() == 4);
  CHECK(code->instructions[0].operands == "zmm6 {k2}, zmmword ptr [rdx + 4*zmm3]");
  CHECK(code->instructions[1].operands == "xmm0, xmm19, dword ptr [rcx + r12 - 36]");
  CHECK(code->instructions[1].memory[0].index == "r12");
  CHECK(code->instructions[2].operands == "zmm1, k0");
  CHECK(code->instructions[3].mnemonic == "ret");
}

TEST_CASE("registers and memory operands are read from Intel's text") {
  const auto load = with_operands(Architecture::kX86_64, "vbroadcasti128", "ymm0, xmmword ptr [rdi + 4*rax - 16]");
  CHECK(load.writes == std::vector<std::string>{"zmm0"});
  CHECK(load.reads == std::vector<std::string>{"rdi", "rax"});
  REQUIRE(load.memory.size() == 1);
  CHECK(load.memory[0].base == "rdi");
  CHECK(load.memory[0].index == "rax");
  CHECK(load.memory[0].scale == 4);
  CHECK(load.memory[0].displacement == -16);
  CHECK(load.memory[0].is_read);
  const auto store = with_operands(Architecture::kX86_64, "vmovntps", "ymmword ptr [8*rcx + 0x20], ymm1");
  CHECK(store.writes.empty());
  CHECK(store.reads == std::vector<std::string>{"rcx", "zmm1"});
  CHECK(store.memory[0].base.empty());
  CHECK(store.memory[0].index == "rcx");
  CHECK(store.memory[0].displacement == 32);
  CHECK(store.memory[0].is_written);
  for (const char* broken : {"", "[", "]", "[[[", "ymm0, [rdi + 99999999999999999999*rax]", "4*", ",,,", "[-", "."})
    with_operands(Architecture::kX86_64, "any", broken);
}

TEST_CASE("registers and memory operands are read from AArch64's text") {
  const auto load = with_operands(Architecture::kAarch64, "ld1w", "{ z0.s }, p0/z, [x0, x1, lsl #2]");
  CHECK(load.writes == std::vector<std::string>{"v0"});
  CHECK(load.reads == std::vector<std::string>{"p0", "x0", "x1"});
  CHECK(load.memory[0].base == "x0");
  CHECK(load.memory[0].index == "x1");
  CHECK(load.memory[0].scale == 4);
  const auto store = with_operands(Architecture::kAarch64, "st1w", "{ z0.s }, p0, [x2]");
  CHECK(store.writes.empty());
  CHECK(store.memory[0].is_written);
}

TEST_CASE("the ELF file of code alone holds the same code at the same addresses") {
  ObjectFile object = object_of(Architecture::kAarch64, std::span(kUnknown).first(4), 0x1000);
  object.code.push_back({"more", 0x2000, std::span(kUnknown).last(2)});
  const std::string elf = elf_of_code(object);
  const auto read = read_object(std::as_bytes(std::span(elf)), Architecture::kUnknown);
  REQUIRE(read);
  CHECK(read->architecture == Architecture::kAarch64);
  REQUIRE(read->code.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(read->code[i].address == object.code[i].address);
    CHECK(std::equal(read->code[i].bytes.begin(), read->code[i].bytes.end(), object.code[i].bytes.begin(),
                     object.code[i].bytes.end()));
  }
}

TEST_CASE("llvm-objdump knows what capstone 4 does not") {
  const Toolchain tools("/usr/bin:/bin");
  // vbroadcasti128 ymm0, xmmword ptr [rdi]; ret, and of AArch64 ptrue p0.s; ret
  const auto [architecture, code, name] = GENERATE(table<Architecture, std::vector<std::byte>, std::string>(
      {{Architecture::kX86_64, bytes_of(0xC4, 0xE2, 0x7D, 0x5A, 0x07, 0xC3), "vbroadcasti128"},
       {Architecture::kAarch64, bytes_of(0xE0, 0xE3, 0x98, 0x25, 0xC0, 0x03, 0x5F, 0xD6), "ptrue"}}));
  const ObjectFile object = object_of(architecture, code, 0x40);
  CHECK_FALSE(decode_with_objdump(Toolchain(""), object));
  if (!tools.has(Tool::kLlvmObjdump)) {
    WARN("skipped: llvm-objdump is not installed");
    return;
  }
  const auto others = decode_with_objdump(tools, object);
  REQUIRE(others);
  const auto known = disassemble(object, *others);
  REQUIRE(known);
  REQUIRE(known->instructions.size() == 2);
  CHECK(known->instructions[0].mnemonic == name);
  CHECK(known->instructions[0].address == 0x40);
  CHECK(known->instructions[0].operands.find_first_of("#<") == std::string::npos);
  CHECK(known->instructions[1].mnemonic == "ret");
}

}  // namespace vizd::undecoded_test
