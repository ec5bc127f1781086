// ELF files of 64 bits, little-endian: sections of code, function symbols, and the line table with its relocations.
// Layouts as in the System V ABI, chapters 4 and 5.
#include <algorithm>
#include <unordered_map>

#include "disasm/byte_cursor.h"
#include "disasm/line_table.h"
#include "disasm/object_file.h"

namespace vizd {
namespace {

// Symbols and relocations of all tables together: tables may overlap, so that a small file has any number of them.
constexpr std::size_t kMostRecords = 2'000'000;
constexpr std::uint32_t kProgBits = 1, kSymbolTable = 2, kRela = 4;
constexpr std::uint64_t kExecutable = 4;
constexpr std::size_t kSectionHeaderBytes = 64, kSegmentHeaderBytes = 56, kSymbolBytes = 24, kRelaBytes = 24;
constexpr std::uint16_t kRelocatable = 1;

Error broken_elf(const char* what) { return {ErrorKind::kBadInput, std::string("the ELF file's ") + what, ""}; }

struct Section {
  std::string_view name;
  std::uint32_t name_at = 0;
  std::uint32_t type = 0, link = 0, info = 0;
  std::uint64_t flags = 0, address = 0, alignment = 0;
  std::span<const std::byte> bytes;
};

struct Symbol {
  std::uint32_t name_at = 0;
  std::uint8_t info = 0;
  std::uint16_t section = 0;
  std::uint64_t value = 0;
};

Architecture architecture_of(std::uint16_t machine) {
  switch (machine) {
    case 62:
      return Architecture::kX86_64;
    case 183:
      return Architecture::kAarch64;
    case 190:
      return Architecture::kNvidia;
    case 224:
      return Architecture::kAmdgpu;
    case 243:
      return Architecture::kRiscv64;
    default:
      return Architecture::kUnknown;
  }
}

class ElfReader {
 public:
  explicit ElfReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  Result<ObjectFile> read() {
    VIZD_TRY(read_header());
    VIZD_TRY(read_sections());
    if (sections_.empty()) VIZD_TRY(read_segments());
    place_sections();
    for (const Section& section : sections_) {
      if (section.type == kProgBits && (section.flags & kExecutable) != 0 && !section.bytes.empty())
        object_.code.push_back({section.name, section.address, section.bytes});
    }
    read_symbols();
    read_lines();
    return std::move(object_);
  }

 private:
  Result<void> read_header() {
    object_.container = ObjectFile::Container::kElf;
    ByteCursor in(bytes_, 4);
    if (in.u8() != 2 || in.u8() != 1) return broken_elf("words are not 64 bits, little-endian: vizd reads no other");
    in.seek(16);
    type_ = in.u16();
    object_.architecture = architecture_of(in.u16());
    in.seek(32);
    segments_at_ = in.u64();
    sections_at_ = in.u64();
    in.u32();
    in.u16();
    segment_header_bytes_ = in.u16();
    segment_count_ = in.u16();
    section_header_bytes_ = in.u16();
    section_count_ = in.u16();
    names_section_ = in.u16();
    return in.failed() ? Result<void>(broken_elf("header is cut off")) : Result<void>();
  }

  // Where a table of count records lies within the file.
  bool fits(std::uint64_t at, std::uint64_t record_bytes, std::uint64_t count) const {
    return at <= bytes_.size() && record_bytes * count <= bytes_.size() - at;
  }

  Result<void> read_sections() {
    if (section_count_ == 0) return {};
    if (section_header_bytes_ < kSectionHeaderBytes || !fits(sections_at_, section_header_bytes_, section_count_))
      return broken_elf("table of sections reaches beyond its end");
    for (std::uint64_t i = 0; i < section_count_; ++i) {
      ByteCursor in(bytes_, sections_at_ + i * section_header_bytes_);
      Section section;
      section.name_at = in.u32();
      section.type = in.u32();
      section.flags = in.u64();
      section.address = in.u64();
      const std::uint64_t at = in.u64();
      const std::uint64_t size_bytes = in.u64();
      section.link = in.u32();
      section.info = in.u32();
      section.alignment = in.u64();
      constexpr std::uint32_t kNoBits = 8;
      if (section.type != kNoBits) {
        if (!fits(at, 1, size_bytes)) return broken_elf("sections reach beyond its end");
        section.bytes = bytes_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size_bytes));
      }
      sections_.push_back(section);
    }
    if (names_section_ < sections_.size()) {
      for (Section& section : sections_)
        section.name = ByteCursor(sections_[names_section_].bytes, section.name_at).text();
    }
    return {};
  }

  // A file without sections, as a loader sees it: what may be executed.
  Result<void> read_segments() {
    if (segment_header_bytes_ < kSegmentHeaderBytes || !fits(segments_at_, segment_header_bytes_, segment_count_))
      return broken_elf("table of segments reaches beyond its end");
    for (std::uint64_t i = 0; i < segment_count_; ++i) {
      ByteCursor in(bytes_, segments_at_ + i * segment_header_bytes_);
      const std::uint32_t type = in.u32();
      const std::uint32_t flags = in.u32();
      const std::uint64_t at = in.u64();
      const std::uint64_t address = in.u64();
      in.u64();
      const std::uint64_t size_bytes = in.u64();
      if (type != 1 || (flags & 1) == 0) continue;
      if (!fits(at, 1, size_bytes)) return broken_elf("segments reach beyond its end");
      object_.code.push_back(
          {"segment", address, bytes_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size_bytes))});
    }
    return {};
  }

  // In an object that is not linked all sections lie at 0; its code is laid out one section after the other.
  void place_sections() {
    if (type_ != kRelocatable) return;
    std::uint64_t next = 0;
    for (Section& section : sections_) {
      if ((section.flags & kExecutable) == 0) continue;
      const std::uint64_t alignment = std::clamp<std::uint64_t>(section.alignment, 1, 4096);
      section.address = (next + alignment - 1) / alignment * alignment;
      next = section.address + section.bytes.size();
    }
  }

  // Whether another record lies in the table and may be read.
  bool take_record(const ByteCursor& in, const Section& table, std::size_t record_bytes) {
    if (table.bytes.size() - in.at() < record_bytes || records_left_ == 0) return false;
    return --records_left_, true;
  }

  std::vector<Symbol> symbols_of(const Section& table) {
    std::vector<Symbol> symbols;
    for (ByteCursor in(table.bytes); take_record(in, table, kSymbolBytes);) {
      Symbol symbol;
      symbol.name_at = in.u32();
      symbol.info = in.u8();
      in.u8();
      symbol.section = in.u16();
      symbol.value = in.u64();
      in.u64();
      symbols.push_back(symbol);
    }
    return symbols;
  }

  // In an object that is not linked, values count from the section.
  std::uint64_t address_of(const Symbol& symbol) const {
    const bool is_offset = type_ == kRelocatable && symbol.section < sections_.size();
    return is_offset ? sections_[symbol.section].address + symbol.value : symbol.value;
  }

  void read_symbols() {
    for (const Section& table : sections_) {
      if (table.type != kSymbolTable || table.link >= sections_.size()) continue;
      for (const Symbol& symbol : symbols_of(table)) {
        constexpr std::uint8_t kFunction = 2;
        if ((symbol.info & 0xFU) != kFunction) continue;
        const auto name = ByteCursor(sections_[table.link].bytes, symbol.name_at).text();
        object_.symbols.push_back({name, address_of(symbol)});
      }
    }
  }

  void read_lines() {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (sections_[i].name != ".debug_line") continue;
      std::unordered_map<std::uint64_t, std::uint64_t> moved;  // by offset into the section
      for (const Section& table : sections_) {
        if (table.type == kRela && table.info == i && table.link < sections_.size()) read_relocations(table, moved);
      }
      object_.lines = read_line_table(sections_[i].bytes, [&](std::uint64_t offset, std::uint64_t stored) {
        const auto found = moved.find(offset);
        return found == moved.end() ? stored : found->second;
      });
      return;  // a file has one: of many that overlap each would be read
    }
  }

  void read_relocations(const Section& table, std::unordered_map<std::uint64_t, std::uint64_t>& moved) {
    const auto symbols = symbols_of(sections_[table.link]);
    for (ByteCursor in(table.bytes); take_record(in, table, kRelaBytes);) {
      const std::uint64_t offset = in.u64();
      const std::uint64_t symbol = in.u64() >> 32;
      const std::uint64_t addend = in.u64();
      if (symbol < symbols.size()) moved[offset] = address_of(symbols[symbol]) + addend;
    }
  }

  std::span<const std::byte> bytes_;
  ObjectFile object_;
  std::vector<Section> sections_;
  std::uint16_t type_ = 0, segment_header_bytes_ = 0, segment_count_ = 0, section_header_bytes_ = 0;
  std::uint16_t section_count_ = 0, names_section_ = 0;
  std::uint64_t segments_at_ = 0, sections_at_ = 0;
  std::size_t records_left_ = kMostRecords;
};

}  // namespace

Result<ObjectFile> read_elf(std::span<const std::byte> bytes) { return ElfReader(bytes).read(); }

}  // namespace vizd
