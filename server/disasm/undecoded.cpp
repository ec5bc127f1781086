#include "disasm/undecoded.h"

#include <algorithm>

#include "base/assert.h"
#include "disasm/byte_cursor.h"
#include "disasm/disassemble.h"
#include "disasm/foreign_disassembly.h"

namespace vizd {
namespace {

// Little-endian numbers, one after the other.
class ElfBytes {
 public:
  template <typename... Numbers>
  ElfBytes& u16(Numbers... numbers) {
    return (add(static_cast<std::uint64_t>(numbers), 2), ...), *this;
  }
  template <typename... Numbers>
  ElfBytes& u32(Numbers... numbers) {
    return (add(static_cast<std::uint64_t>(numbers), 4), ...), *this;
  }
  template <typename... Numbers>
  ElfBytes& u64(Numbers... numbers) {
    return (add(static_cast<std::uint64_t>(numbers), 8), ...), *this;
  }
  ElfBytes& text(std::string_view bytes) { return bytes_ += bytes, *this; }
  std::string take() { return std::move(bytes_); }

 private:
  void add(std::uint64_t value, int size_bytes) {
    for (int i = 0; i < size_bytes; ++i) bytes_ += static_cast<char>(value >> 8 * i);
  }
  std::string bytes_;
};

// "xmm0, xmmword ptr [rip + 32] # 0x2f <f+0x2f>": what follows the operands is for people.
void cut_notes(Architecture architecture, std::string& operands) {
  const auto note = operands.find(architecture == Architecture::kX86_64 ? " #" : "//");
  operands.resize(std::min({note, operands.find(" <"), operands.size()}));
  operands.resize(operands.find_last_not_of(" \t") + 1);
}

}  // namespace

bool has_undecoded(const Disassembly& disassembly) {
  return std::any_of(disassembly.instructions.begin(), disassembly.instructions.end(),
                     [](const Instruction& i) { return i.is_doubtful; });
}

std::string elf_of_code(const ObjectFile& object) {
  constexpr std::uint64_t kHeaderBytes = 64, kSectionBytes = 64;
  constexpr std::string_view kNames("\0.text\0.shstrtab\0", 17);
  const std::size_t sections = object.code.size() + 2;  // before them none, after them the names
  ElfBytes out;
  out.text(
      std::string_view("\x7F"
                       "ELF\2\1\1\0\0\0\0\0\0\0\0\0",
                       16));
  out.u16(2, object.architecture == Architecture::kX86_64 ? 62 : 183).u32(1).u64(0, 0, kHeaderBytes).u32(0);
  out.u16(kHeaderBytes, 0, 0, kSectionBytes, sections, sections - 1);
  std::uint64_t at = kHeaderBytes + sections * kSectionBytes;
  out.text(std::string(kSectionBytes, '\0'));
  for (const CodeSection& section : object.code) {
    out.u32(1, 1).u64(6, section.address, at, section.bytes.size()).u32(0, 0).u64(1, 0);
    at += section.bytes.size();
  }
  out.u32(7, 3).u64(0, 0, at, kNames.size()).u32(0, 0).u64(1, 0);
  for (const CodeSection& section : object.code) out.text(ByteCursor::view(section.bytes));
  return out.text(kNames).take();
}

Result<std::vector<Instruction>> decode_with_objdump(const Toolchain& tools, const ObjectFile& object) {
  VIZD_ASSERT(can_disassemble(object.architecture));
  constexpr std::size_t kMostSections = 1000;
  if (!tools.has(Tool::kLlvmObjdump)) return Error{ErrorKind::kNotFound, "llvm-objdump is not installed", ""};
  if (object.code.size() > kMostSections) return Error{ErrorKind::kTooLarge, "too many sections", ""};
  // llvm-objdump knows all of x86's extensions unasked, of AArch64's only those that it is told of.
  const char* dialect = object.architecture == Architecture::kX86_64 ? "-Mintel" : "--mattr=+v9a,+bf16,+i8mm";
  const auto run = tools.children().run({tools.path(Tool::kLlvmObjdump), "-d", dialect, "-"}, elf_of_code(object), {});
  if (!run) return run.error();
  if (!run->succeeded()) return Error{ErrorKind::kBadInput, "llvm-objdump cannot read the code", ""};
  std::vector<Instruction> instructions = read_objdump(run->output);
  for (Instruction& i : instructions) cut_notes(object.architecture, i.operands);
  std::erase_if(instructions, [](const Instruction& i) { return i.mnemonic == "<unknown>"; });
  std::stable_sort(instructions.begin(), instructions.end(),
                   [](const Instruction& a, const Instruction& b) { return a.address < b.address; });
  return instructions;
}

}  // namespace vizd
