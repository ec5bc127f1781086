#include "disasm/amd/code_listing.h"

#include <string_view>

#include "disasm/byte_cursor.h"

namespace vizd::amd {
namespace {

struct TextSection {
  std::uint64_t address = 0;
  std::span<const std::byte> bytes;
};

Error broken_binary(const char* what) {
  return {ErrorKind::kBadInput, std::string("the program's binary ") + what, ""};
}

// What tinygrad's own assembler writes is an ELF file in which most of the header is left empty, even the size of a
// section's record: read_object() would refuse it.
Result<TextSection> find_text(std::span<const std::byte> elf) {
  constexpr std::uint64_t kRecordBytes = 64;
  ByteCursor header(elf);
  if (header.u32() != 0x464C457F) return broken_binary("is no ELF file");
  header.seek(40);
  const std::uint64_t records_at = header.u64();
  header.seek(60);
  const std::uint16_t count = header.u16(), names_record = header.u16();
  struct Record {
    std::uint32_t name;
    TextSection section;
  };
  const auto record = [&](std::uint16_t number) {
    ByteCursor in(elf, records_at + number * kRecordBytes);
    const std::uint32_t name = in.u32();
    in.take(12);
    const std::uint64_t address = in.u64(), at = in.u64(), size_bytes = in.u64();
    ByteCursor content(elf, at);
    return Record{name, {address, in.failed() ? std::span<const std::byte>() : content.take(size_bytes)}};
  };
  if (header.failed() || records_at > elf.size()) return broken_binary("is cut off");
  const std::span<const std::byte> names = record(names_record).section.bytes;
  for (std::uint16_t i = 0; i < count; ++i) {
    const Record found = record(i);
    if (ByteCursor(names, found.name).text() == ".text" && !found.section.bytes.empty()) return found.section;
  }
  return broken_binary("has no section .text");
}

}  // namespace

Result<CodeListing> CodeListing::read(Family family, std::span<const std::byte> elf) {
  const auto text = find_text(elf);
  if (!text) return text.error();
  CodeListing listing;
  listing.by_word_.resize(text->bytes.size() / kWordBytes + 1);
  for (std::size_t at = 0; at < text->bytes.size();) {
    const auto instruction = decode(family, text->bytes.subspan(at));
    if (!instruction) {
      listing.is_cut_ = true;
      break;
    }
    listing.lines_.push_back({text->address + at, *instruction, instruction->jump(), instruction->is_hidden_wait()});
    listing.by_word_[at / kWordBytes] = static_cast<std::uint32_t>(listing.lines_.size());
    at += instruction->size_bytes();
  }
  return listing;
}

std::optional<std::uint32_t> CodeListing::find(std::uint64_t address) const {
  if (lines_.empty() || address < lines_.front().address) return std::nullopt;
  const std::uint64_t offset = address - lines_.front().address;
  if (offset % kWordBytes != 0 || offset / kWordBytes >= by_word_.size()) return std::nullopt;
  const std::uint32_t place = by_word_[offset / kWordBytes];
  return place == 0 ? std::nullopt : std::optional(place - 1);
}

}  // namespace vizd::amd
