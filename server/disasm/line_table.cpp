#include "disasm/line_table.h"

#include <array>

#include "disasm/byte_cursor.h"

namespace vizd {
namespace {

constexpr std::size_t kMostRows = 1'000'000;
// Names as in the DWARF standard, section 6.2.5.
constexpr std::uint8_t kCopy = 1, kAdvancePc = 2, kAdvanceLine = 3, kSetFile = 4, kConstAddPc = 8, kFixedAdvancePc = 9;
constexpr std::uint8_t kEndSequence = 1, kSetAddress = 2;

struct Header {
  std::uint8_t min_instruction_bytes = 1;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 1;
  std::uint8_t opcode_base = 1;
  std::array<std::uint8_t, 256> operand_counts{};  // by standard opcode
};

// One unit's program: a small machine whose registers are an address, a file and a line (DWARF 6.2.2).
class LineProgram {
 public:
  LineProgram(const Header& header, const Relocate& relocate, std::vector<CodeLine>& rows)
      : header_(header), relocate_(relocate), rows_(rows) {}

  // `section_at`: where `program` begins in its section.
  void run(std::span<const std::byte> program, std::uint64_t section_at) {
    ByteCursor in(program);
    while (!in.at_end() && rows_.size() < kMostRows) {
      const std::uint8_t opcode = in.u8();
      if (opcode >= header_.opcode_base) {
        const unsigned adjusted = opcode - header_.opcode_base;
        advance(adjusted / header_.line_range);
        line_ += header_.line_base + static_cast<int>(adjusted % header_.line_range);
        add_row();
      } else if (opcode == 0) {
        run_extended(in, section_at);
      } else {
        run_standard(opcode, in);
      }
    }
  }

 private:
  void advance(std::uint64_t operations) { address_ += operations * header_.min_instruction_bytes; }
  // Numbers of files begin at 1 up to version 4, at 0 from 5 on, where 0 and 1 are both the compiled one.
  void add_row() {
    const bool is_source = file_ <= 1 && line_ > 0 && line_ <= 0xFFFFFFFF;
    rows_.push_back({address_, is_source ? static_cast<std::uint32_t>(line_) : 0});
  }
  void run_standard(std::uint8_t opcode, ByteCursor& in) {
    switch (opcode) {
      case kCopy:
        return add_row();
      case kAdvancePc:
        return advance(in.unsigned_leb());
      case kAdvanceLine:
        line_ += in.signed_leb() % 0x100000000;
        return;
      case kSetFile:
        file_ = in.unsigned_leb();
        return;
      case kConstAddPc:
        return advance((255U - header_.opcode_base) / header_.line_range);
      case kFixedAdvancePc:
        address_ += in.u16();
        return;
      default:
        for (int i = 0; i < header_.operand_counts[opcode]; ++i) in.unsigned_leb();
    }
  }
  void run_extended(ByteCursor& in, std::uint64_t section_at) {
    const auto size_bytes = in.unsigned_leb();
    const std::size_t from = in.at();
    const auto bytes = in.take(size_bytes);
    ByteCursor operand(bytes);
    const std::uint8_t opcode = operand.u8();
    if (opcode == kSetAddress && bytes.size() == 9) {
      address_ = relocate_(section_at + from + 1, operand.u64());
    } else if (opcode == kEndSequence) {
      rows_.push_back({address_, 0});
      address_ = 0, file_ = 1, line_ = 1;
    }
  }

  const Header& header_;
  const Relocate& relocate_;
  std::vector<CodeLine>& rows_;
  std::uint64_t address_ = 0;
  std::uint64_t file_ = 1;
  std::int64_t line_ = 1;
};

}  // namespace

std::vector<CodeLine> read_line_table(std::span<const std::byte> debug_line, const Relocate& relocate) {
  std::vector<CodeLine> rows;
  ByteCursor in(debug_line);
  while (!in.at_end() && rows.size() < kMostRows) {
    std::uint64_t unit_bytes = in.u32();
    const bool is_64_bit = unit_bytes == 0xFFFFFFFF;
    if (is_64_bit) unit_bytes = in.u64();
    const std::size_t unit_at = in.at();
    const auto unit = in.take(unit_bytes);
    ByteCursor head(unit);
    const std::uint16_t version = head.u16();
    if (version < 2 || version > 5) break;
    if (version == 5) head.u16();  // sizes of an address and of a segment selector
    const std::uint64_t header_bytes = head.number(is_64_bit ? 8 : 4);
    const std::size_t header_at = head.at();
    Header header;
    header.min_instruction_bytes = head.u8();
    if (version >= 4) head.u8();  // operations in an instruction, of machines with very long ones
    head.u8();                    // whether rows begin as statements
    header.line_base = static_cast<std::int8_t>(head.u8());
    header.line_range = head.u8();
    header.opcode_base = head.u8();
    if (header.line_range == 0 || header.opcode_base == 0) break;
    for (unsigned opcode = 1; opcode < header.opcode_base; ++opcode) header.operand_counts[opcode] = head.u8();
    // The tables of folders and files are passed over: only the compiled file counts.
    if (head.failed() || header_bytes > unit.size() - header_at) break;
    const std::size_t program_at = header_at + static_cast<std::size_t>(header_bytes);
    LineProgram(header, relocate, rows).run(unit.subspan(program_at), unit_at + program_at);
  }
  return rows;
}

}  // namespace vizd
