#include "hardware/loaded_code.h"

#include <cstring>

#include "support/catch.h"
#include "support/made_trace.h"

namespace vizd::loaded_code_test {
namespace {

using hardware::listing_base;
using hardware::listing_end;
using hardware::Program;

struct MadeSection {
  std::string_view name;
  std::uint32_t type = 1;
  std::uint64_t address = 0, size_bytes = 0, alignment = 1;
};

// Headers alone: what sections hold is not asked for.
std::string elf_of(const std::vector<MadeSection>& sections) {
  constexpr std::size_t kHeaderBytes = 64, kRecordBytes = 64;
  std::string names(1, '\0'), records;
  const auto put = [](std::string& bytes, std::size_t at, std::uint64_t value, std::size_t size_bytes) {
    std::memcpy(bytes.data() + at, &value, size_bytes);
  };
  const auto add = [&](const MadeSection& section, std::uint64_t at) {
    std::string record(kRecordBytes, '\0');
    put(record, 0, names.size(), 4);
    put(record, 4, section.type, 4);
    put(record, 16, section.address, 8);
    put(record, 24, at, 8);
    put(record, 32, section.size_bytes, 8);
    put(record, 48, section.alignment, 8);
    records += record;
    names += std::string(section.name) + '\0';
  };
  for (const MadeSection& section : sections) add(section, kHeaderBytes);
  add({.name = ".shstrtab", .type = 3, .size_bytes = names.size() + 10}, kHeaderBytes);
  std::string elf(kHeaderBytes, '\0');
  elf.replace(0, 5,
              "\x7f"
              "ELF\x02",
              5);
  put(elf, 40, kHeaderBytes + names.size(), 8);
  put(elf, 60, sections.size() + 1, 2);
  put(elf, 62, sections.size(), 2);
  elf += names + records;
  elf.resize(elf.size() + 4096);
  return elf;
}

Program program_of(const std::string& binary, std::optional<std::uint64_t> base = 0x7000) {
  Program program;
  program.name = "k";
  program.binary = bytes_of(binary);
  program.base = base;
  return program;
}

TEST_CASE("loaded code: sections without an address lie one after the other, as tinygrad loads them") {
  const std::string cubin = elf_of({{.name = ".nv.info", .type = 0x70000000, .size_bytes = 90},
                                    {.name = ".nv.constant0.k", .size_bytes = 0x170, .alignment = 4},
                                    {.name = ".text.other", .size_bytes = 0x80, .alignment = 128},
                                    {.name = ".text.k", .size_bytes = 0x200, .alignment = 128}});
  CHECK(listing_base(program_of(cubin)) == 0x7000 + 0x180 + 0x80);
  CHECK(listing_base(program_of(cubin, std::nullopt)) == std::nullopt);
  CHECK(listing_end(program_of(cubin)) == 0x200);
}

TEST_CASE("loaded code: a section with an address is where the program's beginning and that say") {
  const std::string addressed = elf_of({{.name = ".text", .address = 0x1700, .size_bytes = 12}});
  CHECK(listing_base(program_of(addressed)) == 0x7000);
  CHECK(listing_end(program_of(addressed)) == 0x170c);
  const std::string mixed = elf_of({{.name = ".data", .address = 0x100, .size_bytes = 0x90}, {.name = ".text.k"}});
  CHECK(listing_base(program_of(mixed)) == 0x7000 + 0x200);
}

TEST_CASE("loaded code: what is no whole ELF file begins where it was loaded") {
  const std::string cubin = elf_of({{.name = ".text.k", .size_bytes = 16}});
  for (std::size_t size = 0; size < 300; ++size) CHECK(listing_base(program_of(cubin.substr(0, size))) == 0x7000);
  CHECK(listing_base(program_of(".version 8.0\n.target sm_80")) == 0x7000);
}

}  // namespace
}  // namespace vizd::loaded_code_test
