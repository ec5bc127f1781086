#include "disasm/foreign_disassembly.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "disasm/instruction_kind.h"
#include "system/descriptors.h"

namespace vizd {
namespace {

std::string_view trim(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

// Takes the hexadecimal number that text begins with.
std::optional<std::uint64_t> take_hex(std::string_view& text) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (failed != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// By the names that jumps have on these machines.
void add_flow(Instruction& i) {
  const std::string_view name = i.mnemonic;
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool ends = is_one_of({"s_endpgm", "ret", "EXIT", "RET", "s_setpc_b64", "jr"});
  const bool always = is_one_of({"s_branch", "j", "BRA", "tail"}) && !i.operands.starts_with("@");
  // RISC-V's conditional ones all begin with b.
  const bool may = name.starts_with("s_cbranch") || name == "BRA" || (name.starts_with('b') && i.target);
  i.is_jump = ends || always || may;
  if (i.is_jump) i.kind = InstructionKind::kBranch;
  i.falls_through = !ends && !always;
  if (ends) i.target.reset();
  if (!i.is_jump) i.target.reset();
}

// Calls use(line) for each, until it says that it has enough.
template <typename Use>
void each_line(std::string_view text, Use&& use) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (!use(text.substr(0, end))) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Sections of an object that is not linked, and functions of NVIDIA's, all begin at 0: they are laid out one after the
// other. A jump stays within its own.
void place_sections(std::vector<Instruction>& instructions) {
  std::uint64_t base = 0, end = 0, last = 0;
  for (Instruction& i : instructions) {
    if (i.address < last) base = end;
    last = i.address;
    i.address += base;
    if (i.target) *i.target += base;
    end = i.address + i.size_bytes;
  }
}

// AMDGPU's jumps count words of 4 bytes from the next instruction, as a number of 16 bits.
std::optional<std::uint64_t> amdgpu_target(const Instruction& i) {
  std::uint16_t words = 0;
  const char* end = i.operands.data() + i.operands.size();
  const bool is_number = std::from_chars(i.operands.data(), end, words).ec == std::errc();
  if (!i.mnemonic.starts_with("s_") || i.mnemonic.find("branch") == std::string::npos || !is_number)
    return std::nullopt;
  return i.address + 4 + static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(words)} * 4);
}

// "   4: 13 05 15 00  \taddi\ta0, a0, 1", or of AMDGPU "\ts_endpgm   // 000000000008: BF810000", where a jump ends in
// "<symbol+0x10>".
std::optional<Instruction> read_objdump_line(std::string_view line) {
  Instruction result;
  const auto note = line.find("// ");
  std::string_view place = note == std::string_view::npos ? trim(line) : line.substr(note + 3);
  const auto address = take_hex(place);
  if (!address || !place.starts_with(':')) return std::nullopt;
  result.address = *address;
  place.remove_prefix(1);
  const auto tab = place.find('\t');
  if (note == std::string_view::npos && tab == std::string_view::npos) return std::nullopt;
  std::string_view code = note == std::string_view::npos ? trim(place.substr(tab)) : trim(line.substr(0, note));
  std::string_view bytes = place.substr(0, std::min(tab, place.find('<')));
  for (const char c : bytes) {
    if (c != ' ') result.bytes += c;
  }
  result.size_bytes = static_cast<std::uint32_t>(result.bytes.size() / 2);
  const auto blank = code.find_first_of(" \t");
  result.mnemonic = code.substr(0, blank);
  result.operands = blank == std::string_view::npos ? "" : trim(code.substr(blank));
  const auto symbol = result.operands.find(" <");
  const auto target = symbol == std::string::npos ? symbol : result.operands.rfind("0x", symbol);
  if (target != std::string::npos) {
    std::string_view number = std::string_view(result.operands).substr(target + 2);
    result.target = take_hex(number);
  }
  if (note != std::string_view::npos) result.target = amdgpu_target(result);
  if (result.mnemonic.empty() || result.size_bytes == 0) return std::nullopt;
  return result;
}

// "        /*0010*/              @P0 IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;"
std::optional<Instruction> read_nvdisasm_line(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("/*")) return std::nullopt;
  line.remove_prefix(2);
  const auto address = take_hex(line);
  const auto end = line.find(';');
  if (!address || !line.starts_with("*/") || end == std::string_view::npos) return std::nullopt;
  Instruction result;
  result.address = *address;
  result.size_bytes = 16;
  std::string_view code = trim(line.substr(2, end - 2));
  std::string_view guard;
  if (code.starts_with('@')) {
    guard = code.substr(0, code.find(' '));
    code = trim(code.substr(guard.size()));
  }
  const auto blank = code.find(' ');
  result.mnemonic = code.substr(0, blank);
  const std::string_view rest = blank == std::string_view::npos ? std::string_view() : trim(code.substr(blank));
  result.operands = guard.empty() ? std::string(rest) : fmt::format("{} {}", guard, rest);
  if (rest.starts_with("0x")) {
    std::string_view number = rest.substr(2);
    result.target = take_hex(number);
  }
  if (result.mnemonic.empty()) return std::nullopt;
  return result;
}

}  // namespace

Tool disassembler_of(Architecture architecture) {
  return architecture == Architecture::kNvidia ? Tool::kNvdisasm : Tool::kLlvmObjdump;
}

Result<Disassembly> disassemble_with_tools(const Toolchain& tools, Architecture architecture,
                                           std::span<const std::byte> bytes) {
  const Tool tool = disassembler_of(architecture);
  const MissingTool about = describe_missing(tool);
  if (architecture == Architecture::kUnknown)
    return Error{ErrorKind::kBadInput, "the program's binary is of a machine that vizd does not know", ""};
  if (!tools.has(tool))
    return Error{ErrorKind::kNotFound,
                 fmt::format("{} is not installed; Debian's package {} brings it", about.program, about.package), ""};
  const bool is_nvidia = tool == Tool::kNvdisasm;
  std::vector<std::string> argv{tools.path(tool)};
  if (!is_nvidia) argv.emplace_back("-d");
  argv.emplace_back(is_nvidia ? path_of_descriptor(0) : "-");
  const std::string_view input(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto run = tools.children().run(argv, input, {});
  if (!run) return run.error();
  if (!run->succeeded())
    return Error{ErrorKind::kBadInput, fmt::format("{} cannot read the program's binary", about.program), ""};
  Disassembly out;
  out.architecture = architecture;
  out.tool = std::filesystem::path(tools.path(tool)).filename().string();
  out.instructions = is_nvidia ? read_nvdisasm(run->output) : read_objdump(run->output);
  out.truncated = out.instructions.size() == kMostInstructions;
  place_sections(out.instructions);
  for (Instruction& i : out.instructions) i.kind = kind_of(architecture, i);
  return out;
}

std::vector<Instruction> read_objdump(std::string_view text) {
  std::vector<Instruction> instructions;
  each_line(text, [&](std::string_view line) {
    if (auto instruction = read_objdump_line(line)) {
      add_flow(*instruction);
      instructions.push_back(std::move(*instruction));
    }
    return instructions.size() < kMostInstructions;
  });
  return instructions;
}

// Where a jump leads is a number, or the name of a line ".L_x_1:" in "BRA `(.L_x_1)".
std::vector<Instruction> read_nvdisasm(std::string_view text) {
  std::vector<Instruction> instructions;
  std::map<std::string_view, std::size_t> labels;               // the instruction that follows
  std::vector<std::pair<std::size_t, std::string_view>> named;  // jumps, and where to
  each_line(text, [&](std::string_view line) {
    const std::string_view trimmed = trim(line);
    if (trimmed.starts_with('.') && trimmed.ends_with(':'))
      labels[trimmed.substr(0, trimmed.size() - 1)] = instructions.size();
    auto instruction = read_nvdisasm_line(line);
    if (!instruction) return true;
    if (const auto from = line.find("`("); from != std::string_view::npos) {
      named.emplace_back(instructions.size(), line.substr(from + 2, line.find(')', from) - from - 2));
      instruction->target = 0;
    }
    add_flow(*instruction);
    instructions.push_back(std::move(*instruction));
    return instructions.size() < kMostInstructions;
  });
  for (const auto& [jump, label] : named) {
    const auto found = labels.find(label);
    const bool is_here = instructions[jump].target && found != labels.end() && found->second < instructions.size();
    instructions[jump].target = is_here ? std::optional(instructions[found->second].address) : std::nullopt;
  }
  return instructions;
}

}  // namespace vizd
