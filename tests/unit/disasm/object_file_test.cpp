// ELF and Mach-O objects: where their code, symbols and lines are, and that no broken one is read beyond its end.
#include "disasm/object_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "disasm/disassemble.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::object_file_test {

namespace {

std::vector<std::byte> read_data(const std::string& name) {
  std::ifstream file(test_data("programs/") + name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(text.empty());
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

const std::vector<std::string> kObjects{"sum.dwarf4.x86-64.o", "sum.dwarf5.x86-64.o", "sum.aarch64.o",
                                        "sum.mach-o.aarch64.o"};

// Reads and disassembles what may be anything; only that it ends and stays within the bytes counts.
void read_hostile(std::span<const std::byte> bytes) {
  // A copy of just these bytes, so that a sanitizer sees a read beyond them.
  const std::vector<std::byte> copy(bytes.begin(), bytes.end());
  if (const auto object = read_object(copy, Architecture::kX86_64); object && can_disassemble(object->architecture))
    CHECK(disassemble(*object));
}

}  // namespace

TEST_CASE("an ELF object gives code, symbols and lines") {
  const auto [name, architecture] =
      GENERATE(table<std::string, Architecture>({{"sum.dwarf4.x86-64.o", Architecture::kX86_64},
                                                 {"sum.dwarf5.x86-64.o", Architecture::kX86_64},
                                                 {"sum.aarch64.o", Architecture::kAarch64}}));
  INFO(name);
  const auto bytes = read_data(name);
  const auto object = read_object(bytes, Architecture::kUnknown);
  REQUIRE(object);
  CHECK(object->container == ObjectFile::Container::kElf);
  CHECK(object->architecture == architecture);
  REQUIRE(object->code.size() == 1);
  CHECK(object->code[0].name == ".text");
  REQUIRE(object->symbols.size() == 1);
  CHECK(object->symbols[0].name == "sum");
  const auto code = disassemble(*object);
  REQUIRE(code);
  std::vector<bool> seen(8, false);
  for (const Instruction& i : code->instructions) {
    REQUIRE(i.line < seen.size());
    seen[i.line] = true;
    if (i.mnemonic == "addss" || i.mnemonic == "fadd") CHECK(i.line == 4);
    if (i.mnemonic == "ret") CHECK(i.line == 7);
  }
  for (const int line : {3, 4, 6, 7}) CHECK(seen[static_cast<std::size_t>(line)]);
}

TEST_CASE("a Mach-O object gives code and symbols") {
  const auto bytes = read_data("sum.mach-o.aarch64.o");
  const auto object = read_object(bytes, Architecture::kUnknown);
  REQUIRE(object);
  CHECK(object->container == ObjectFile::Container::kMachO);
  CHECK(object->architecture == Architecture::kAarch64);
  REQUIRE(object->code.size() == 1);
  REQUIRE_FALSE(object->symbols.empty());
  const auto is_sum = [](const CodeSymbol& symbol) { return symbol.name == "_sum"; };
  CHECK(std::any_of(object->symbols.begin(), object->symbols.end(), is_sum));
  CHECK(disassemble(*object)->instructions.back().mnemonic == "ret");
}

TEST_CASE("an object that is cut off anywhere is read up to there or refused") {
  for (const std::string& name : kObjects) {
    const auto bytes = read_data(name);
    for (std::size_t size = 0; size < bytes.size(); ++size) read_hostile(std::span(bytes).first(size));
  }
}

TEST_CASE("an object with any byte changed is read or refused") {
  for (const std::string& name : kObjects) {
    auto bytes = read_data(name);
    for (std::byte& byte : bytes) {
      for (const unsigned value : {0x00U, 0x7FU, 0x80U, 0xFFU}) {
        const std::byte kept = std::exchange(byte, static_cast<std::byte>(value));
        read_hostile(bytes);
        byte = kept;
      }
    }
  }
}

TEST_CASE("a file whose tables all overlap is read no longer than any other") {
  constexpr std::uint64_t kSections = 20'000, kSymbols = 1000, kHeader = 64, kSection = 64, kSymbol = 24;
  std::vector<std::byte> bytes(kHeader + kSections * kSection + kSymbols * kSymbol);
  const auto put = [&](std::uint64_t at, std::uint64_t value, std::size_t size_bytes) {
    for (std::size_t i = 0; i < size_bytes; ++i) bytes[at + i] = static_cast<std::byte>(value >> 8 * i);
  };
  put(0, 0x464C457F, 4), put(4, 0x0102, 2), put(16, 1, 2), put(18, 62, 2);
  put(40, kHeader, 8), put(58, kSection, 2), put(60, kSections, 2);
  const std::uint64_t table_at = kHeader + kSections * kSection;
  for (std::uint64_t i = 0; i < kSections; ++i) {
    const std::uint64_t at = kHeader + i * kSection;
    put(at + 4, i == 0 ? 1 : 2, 4), put(at + 8, i == 0 ? 4 : 0, 8);  // code, then tables of symbols
    put(at + 24, table_at, 8), put(at + 32, kSymbols * kSymbol, 8);
  }
  for (std::uint64_t i = 0; i < kSymbols; ++i) put(table_at + i * kSymbol + 4, 2, 1);  // a function
  const auto object = read_object(bytes, Architecture::kUnknown);
  REQUIRE(object);
  CHECK(object->symbols.size() >= kSymbols);
  CHECK(object->symbols.size() <= 2'000'000);
}

TEST_CASE("what vizd cannot read says what it is") {
  CHECK_FALSE(read_object({}, Architecture::kX86_64));
  auto bytes = read_data(kObjects[0]);
  bytes[4] = std::byte{1};  // 32 bits
  const auto object = read_object(bytes, Architecture::kX86_64);
  REQUIRE_FALSE(object);
  CHECK(object.error().message.find("64 bits") != std::string::npos);
  bytes[4] = std::byte{2};
  bytes[18] = std::byte{0xE0};  // AMDGPU: no capstone for it here
  const auto amd = read_object(bytes, Architecture::kUnknown);
  REQUIRE(amd);
  CHECK(amd->architecture == Architecture::kAmdgpu);
  CHECK_FALSE(disassemble(*amd));
}

}  // namespace vizd::object_file_test
