#include "hardware/loaded_code.h"

#include <algorithm>
#include <string>

#include "disasm/byte_cursor.h"

namespace vizd::hardware {
namespace {

// tinygrad loads sections that have an address there, and behind these, as they come, those that have none, as all of
// NVIDIA's: their listing begins at 0.
struct CodePlace {
  std::uint64_t offset = 0;  // how far behind the program's beginning an address of 0 in the listing lies
  std::uint64_t end = 0;     // of the listing's addresses
};
CodePlace code_place(std::span<const std::byte> elf, std::string_view program) {
  const CodePlace whole{.offset = 0, .end = elf.size()};
  constexpr std::uint32_t kElf = 0x464C457F, kProgBits = 1;
  constexpr std::uint64_t kRecordBytes = 64, kLeastAlignment = 128, kMostAlignment = 1 << 16;
  ByteCursor header(elf);
  if (header.u32() != kElf) return whole;
  header.seek(40);
  const std::uint64_t records_at = header.u64();
  header.seek(60);
  const std::uint16_t count = header.u16(), names_record = header.u16();
  if (header.failed()) return whole;
  const auto offset_of = [&](std::uint16_t record) {
    ByteCursor in(elf, records_at + record * kRecordBytes + 24);
    return in.u64();
  };
  const std::uint64_t names_at = offset_of(names_record);
  const std::string wanted = ".text." + std::string(program);
  std::uint64_t fixed_end = 0, end = 0, found_bytes = 0;
  std::optional<std::uint64_t> found;
  for (std::uint16_t i = 0; i < count; ++i) {
    ByteCursor in(elf, records_at + i * kRecordBytes);
    const std::uint32_t name = in.u32(), type = in.u32();
    in.take(8);
    const std::uint64_t address = in.u64();
    in.take(8);
    const std::uint64_t size_bytes = in.u64();
    in.take(8);
    const std::uint64_t alignment = std::clamp(in.u64(), kLeastAlignment, kMostAlignment);
    if (in.failed() || type != kProgBits || size_bytes > elf.size()) continue;
    if (address != 0) {
      fixed_end = std::max(fixed_end, address + size_bytes);
      continue;
    }
    end = (end + alignment - 1) / alignment * alignment;
    if (!found && ByteCursor(elf, names_at + name).text() == wanted) {
      found = end;
      found_bytes = size_bytes;
    }
    end += size_bytes;
  }
  if (!found) return {.offset = 0, .end = fixed_end == 0 ? whole.end : fixed_end};
  return {.offset = *found + (fixed_end + kLeastAlignment - 1) / kLeastAlignment * kLeastAlignment, .end = found_bytes};
}

}  // namespace

std::optional<std::uint64_t> listing_base(const Program& program) {
  if (!program.base) return std::nullopt;
  return *program.base + code_place(program.binary, program.name).offset;
}

std::uint64_t listing_end(const Program& program) { return code_place(program.binary, program.name).end; }

}  // namespace vizd::hardware
