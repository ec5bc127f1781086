// ObjectFile: where the machine code lies in the bytes of a program: an ELF or Mach-O file, or code and nothing else.
// Every offset, size and count of a header is checked against the bytes there are. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "disasm/architecture.h"

namespace vizd {

// A section of machine code. `bytes` are a part of the file's. Names are too: many may be one long text.
struct CodeSection {
  std::string_view name;
  std::uint64_t address = 0;  // of an object that is not linked yet: its sections lie one after the other
  std::span<const std::byte> bytes;
};

struct CodeSymbol {
  std::string_view name;
  std::uint64_t address = 0;
};

// From this address on (until the next one's), code comes from this line of the source. 0: from none.
struct CodeLine {
  std::uint64_t address = 0;
  std::uint32_t line = 0;
};

struct ObjectFile {
  enum class Container { kElf, kMachO, kRaw };
  Container container = Container::kRaw;
  Architecture architecture = Architecture::kUnknown;
  std::vector<CodeSection> code;    // by address
  std::vector<CodeSymbol> symbols;  // functions, by address
  std::vector<CodeLine> lines;      // by address; empty without debug information
};

// Bytes that are neither ELF nor Mach-O are taken for code of raw_architecture at address 0. Views into `bytes`.
// Errors: a header that does not hold together, a machine of another word size or byte order, no code.
Result<ObjectFile> read_object(std::span<const std::byte> bytes, Architecture raw_architecture);

// Its two containers, each for bytes that begin as such a file does. For read_object.
Result<ObjectFile> read_elf(std::span<const std::byte> bytes);
Result<ObjectFile> read_mach_o(std::span<const std::byte> bytes);

}  // namespace vizd
