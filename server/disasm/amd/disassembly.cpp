#include "disasm/amd/disassembly.h"

#include <algorithm>

#include "disasm/instruction_kind.h"

namespace vizd::amd {
namespace {

constexpr std::string_view kPadding = "S_CODE_END";

vizd::Instruction shown(const CodeListing::Line& line) {
  vizd::Instruction made;
  made.address = line.address;
  made.size_bytes = line.instruction.size_bytes();
  made.bytes = line.instruction.hex();
  const std::string text = line.instruction.text();
  const std::size_t open = std::min(text.find('('), text.size());
  made.mnemonic = text.substr(0, open);
  if (open + 1 < text.size()) made.operands = text.substr(open + 1, text.size() - open - 2);
  const bool ends = made.mnemonic == "s_endpgm" || made.mnemonic.starts_with("s_setpc");
  made.is_jump = line.jump.has_value() || ends;
  made.falls_through = !ends && made.mnemonic != "s_branch";
  if (line.jump) made.target = line.address + made.size_bytes + static_cast<std::uint64_t>(*line.jump);
  if (made.is_jump) made.kind = InstructionKind::kBranch;
  made.kind = kind_of(Architecture::kAmdgpu, made);
  return made;
}

}  // namespace

Disassembly disassembly_of(const CodeListing& listing) {
  const auto& lines = listing.lines();
  const auto last = std::find_if(lines.rbegin(), lines.rend(), [](const CodeListing::Line& line) {
    return line.instruction.operation() != kPadding;
  });
  const auto all = static_cast<std::size_t>(lines.rend() - last);
  const std::size_t count = std::min(all, kMostInstructions);
  Disassembly out;
  out.architecture = Architecture::kAmdgpu;
  out.tool = "vizd";
  out.truncated = count < all || listing.is_cut();
  out.instructions.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.instructions.push_back(shown(lines[i]));
  return out;
}

}  // namespace vizd::amd
