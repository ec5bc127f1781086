// Reads arbitrary bytes as a program's binary, as far as the page would: an object file's code, symbols and lines, its
// instructions, their blocks and loops. The bytes are also taken for a line table alone, and for the text that
// llvm-objdump and nvdisasm print, since those tools read the same untrusted binaries.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/assert.h"
#include "disasm/control_flow.h"
#include "disasm/disassemble.h"
#include "disasm/foreign_disassembly.h"
#include "disasm/line_table.h"
#include "disasm/object_file.h"

using namespace vizd;

namespace {

void check_flow(std::span<const Instruction> instructions) {
  const ControlFlow flow = find_control_flow(instructions);
  std::size_t next = 0;
  for (const BasicBlock& block : flow.blocks) {
    VIZD_ASSERT(block.first == next && block.count > 0);
    VIZD_ASSERT(block.loop == kNoLoop || block.loop < flow.loops.size());
    next += block.count;
  }
  VIZD_ASSERT(next == instructions.size());
  for (const FlowEdge& edge : flow.edges) VIZD_ASSERT(edge.from < flow.blocks.size() && edge.to < flow.blocks.size());
  for (const Loop& loop : flow.loops) {
    VIZD_ASSERT(loop.head < flow.blocks.size() && (loop.parent == kNoLoop || loop.parent < flow.loops.size()));
    for (const std::uint32_t block : loop.blocks) VIZD_ASSERT(block < flow.blocks.size());
  }
}

void check_object(std::span<const std::byte> bytes, Architecture raw_architecture) {
  const auto object = read_object(bytes, raw_architecture);
  if (!object) return;
  for (const CodeSection& section : object->code)
    VIZD_ASSERT(section.bytes.empty() || (section.bytes.data() >= bytes.data() &&
                                          section.bytes.data() + section.bytes.size() <= bytes.data() + bytes.size()));
  if (!can_disassemble(object->architecture)) return;
  const auto code = disassemble(*object);
  VIZD_ASSERT(code && code->instructions.size() <= kMostInstructions);
  check_flow(code->instructions);
  VIZD_ASSERT(code->instructions.empty() == flat_dump(*code).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_object(bytes, Architecture::kX86_64);
  check_object(bytes, Architecture::kAarch64);
  read_line_table(bytes, [](std::uint64_t, std::uint64_t stored) { return stored; });
  check_flow(read_objdump(text));
  check_flow(read_nvdisasm(text));
  return 0;
}
