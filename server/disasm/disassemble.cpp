#include "disasm/disassemble.h"

#include <capstone/capstone.h>
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "base/assert.h"
#include "disasm/instruction_kind.h"
#include "disasm/operand_text.h"
#include "disasm/register_family.h"

namespace vizd {
namespace {

// Moves whose first operand is where they go. capstone 4 has their vector forms as reading it.
bool is_x86_move(std::string_view name) {
  for (const std::string_view beginning : {"mov", "vmov", "kmov", "vpmov", "vextract", "vpextr", "pextr", "extract"}) {
    if (name.starts_with(beginning)) return true;
  }
  return false;
}

const Instruction* find_at(std::span<const Instruction> instructions, std::uint64_t address) {
  const auto found = std::lower_bound(instructions.begin(), instructions.end(), address,
                                      [](const Instruction& i, std::uint64_t a) { return i.address < a; });
  return found != instructions.end() && found->address == address ? &*found : nullptr;
}

// capstone's handle for one machine, with the scratch instruction that it decodes into.
class Capstone {
 public:
  explicit Capstone(Architecture architecture) : architecture_(architecture) {
    const bool is_x86 = architecture == Architecture::kX86_64;
    const cs_err opened = cs_open(is_x86 ? CS_ARCH_X86 : CS_ARCH_ARM64, is_x86 ? CS_MODE_64 : CS_MODE_ARM, &handle_);
    VIZD_ASSERT(opened == CS_ERR_OK);
    cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
    cs_option(handle_, CS_OPT_SKIPDATA, CS_OPT_ON);
    scratch_ = cs_malloc(handle_);
  }
  Capstone(const Capstone&) = delete;
  Capstone& operator=(const Capstone&) = delete;
  ~Capstone() {
    cs_free(scratch_, 1);
    cs_close(&handle_);
  }

  // Appends a section's instructions; false where there are more than fit.
  bool decode(const CodeSection& section, std::span<const Instruction> others, Disassembly& out) {
    const auto* code = reinterpret_cast<const std::uint8_t*>(section.bytes.data());
    std::size_t left = section.bytes.size();
    std::uint64_t address = section.address;
    while (left > 0) {
      if (out.instructions.size() == kMostInstructions) return false;
      if (!cs_disasm_iter(handle_, &code, &left, &address, scratch_)) break;
      Instruction known = convert(out);
      const Instruction* other = known.is_doubtful ? find_at(others, scratch_->address) : nullptr;
      const std::size_t more_bytes = other == nullptr ? 0 : other->size_bytes - std::size_t{scratch_->size};
      if (other == nullptr || other->size_bytes < scratch_->size || more_bytes > left) {
        out.instructions.push_back(std::move(known));
        continue;
      }
      out.instructions.push_back(complete(*other, out));
      code += more_bytes, left -= more_bytes, address += more_bytes;
    }
    return true;
  }

 private:
  std::string family(unsigned reg, Disassembly& out) {
    const char* name = reg == 0 ? nullptr : cs_reg_name(handle_, reg);
    if (name == nullptr) return "";
    std::string widest = register_family(architecture_, name);
    if (!widest.empty() && widest != name) out.families.try_emplace(name, widest);
    return widest;
  }

  // Completes an instruction that is text only.
  Instruction complete(Instruction text, Disassembly& out) const {
    add_operands(architecture_, text, out.families);
    text.kind = kind_of(architecture_, text);
    return text;
  }

  Instruction convert(Disassembly& out) {
    Instruction result;
    result.address = scratch_->address;
    result.size_bytes = scratch_->size;
    for (unsigned i = 0; i < scratch_->size; ++i) result.bytes += fmt::format("{:02x}", scratch_->bytes[i]);
    result.mnemonic = scratch_->mnemonic;
    result.operands = scratch_->op_str;
    result.is_doubtful = scratch_->id == 0 || misreads_avx512();
    if (scratch_->id == 0) return result;  // data
    add_registers(result, out);
    architecture_ == Architecture::kX86_64 ? add_x86_operands(result, out) : add_aarch64_operands(result, out);
    add_flow(result);
    result.kind = kind_of(architecture_, result);
    return result;
  }

  // capstone 4 swaps the operands of vpmovm2d, takes an index r12 to be xmm12 beside registers from 16 on, and a
  // gather's memory to be as wide as one element.
  bool misreads_avx512() const {
    constexpr std::uint8_t kEvex = 0x62;  // the first byte of AVX-512's instructions
    return architecture_ == Architecture::kX86_64 && scratch_->bytes[0] == kEvex &&
           cs_version(nullptr, nullptr) >> 8 < 5;
  }

  void add_registers(Instruction& result, Disassembly& out) {
    cs_regs read{};
    cs_regs written{};
    std::uint8_t read_count = 0;
    std::uint8_t written_count = 0;
    if (cs_regs_access(handle_, scratch_, read, &read_count, written, &written_count) != CS_ERR_OK) return;
    const auto add = [&](std::vector<std::string>& to, std::uint16_t reg) {
      const std::string name = family(reg, out);
      if (!name.empty() && std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
    };
    for (int i = 0; i < read_count; ++i) add(result.reads, read[i]);
    for (int i = 0; i < written_count; ++i) add(result.writes, written[i]);
  }

  void add_x86_operands(Instruction& result, Disassembly& out) {
    const cs_x86& x86 = scratch_->detail->x86;
    const bool stores = x86.op_count > 1 && x86.operands[0].type == X86_OP_MEM && is_x86_move(result.mnemonic);
    if (stores) {
      result.reads.insert(result.reads.end(), result.writes.begin(), result.writes.end());
      result.writes.clear();
    }
    for (int i = 0; i < x86.op_count; ++i) {
      const cs_x86_op& operand = x86.operands[i];
      if (operand.type == X86_OP_IMM) result.target = static_cast<std::uint64_t>(operand.imm);
      if (operand.type != X86_OP_MEM) continue;
      const bool computes_only = scratch_->id == X86_INS_LEA || scratch_->id == X86_INS_NOP;
      result.memory.push_back({.base = family(operand.mem.base, out),
                               .index = family(operand.mem.index, out),
                               .scale = operand.mem.scale,
                               .displacement = operand.mem.disp,
                               .size_bytes = operand.size,
                               .is_read = !computes_only && !stores && (operand.access & CS_AC_READ) != 0,
                               .is_written = stores || (!computes_only && (operand.access & CS_AC_WRITE) != 0)});
    }
  }

  void add_aarch64_operands(Instruction& result, Disassembly& out) {
    const cs_arm64& arm = scratch_->detail->arm64;
    const std::string_view name = scratch_->mnemonic;
    for (int i = 0; i < arm.op_count; ++i) {
      const cs_arm64_op& operand = arm.operands[i];
      if (operand.type == ARM64_OP_IMM) result.target = static_cast<std::uint64_t>(operand.imm);
      if (operand.type != ARM64_OP_MEM) continue;
      result.memory.push_back({.base = family(operand.mem.base, out),
                               .index = family(operand.mem.index, out),
                               .scale = operand.shift.type == ARM64_SFT_LSL ? 1 << (operand.shift.value & 15U) : 1,
                               .displacement = operand.mem.disp,
                               .size_bytes = 0,
                               .is_read = name.starts_with("ld"),
                               .is_written = name.starts_with("st")});
    }
  }

  // The meaning of an immediate operand depends on the instruction: only a direct jump or call has it as its target.
  void add_flow(Instruction& result) const {
    const bool is_call = cs_insn_group(handle_, scratch_, CS_GRP_CALL);
    const bool is_return = cs_insn_group(handle_, scratch_, CS_GRP_RET) || result.mnemonic == "ret";
    result.is_jump = (cs_insn_group(handle_, scratch_, CS_GRP_JUMP) && !is_call) || is_return;
    if (result.is_jump) result.kind = InstructionKind::kBranch;
    if (is_call) result.kind = InstructionKind::kCall;
    const bool is_direct = cs_insn_group(handle_, scratch_, CS_GRP_BRANCH_RELATIVE) ||
                           (architecture_ == Architecture::kAarch64 && (result.is_jump || is_call));
    if (!is_direct) result.target.reset();
    const std::string_view name = result.mnemonic;
    const bool always = is_return || name == "jmp" || name == "b" || name == "br";
    const bool stops = name == "ud2" || name == "hlt" || name == "udf";
    result.falls_through = !(result.is_jump && always) && !stops;
    result.is_jump = result.is_jump || stops;
  }

  Architecture architecture_;
  csh handle_ = 0;
  cs_insn* scratch_ = nullptr;
};

}  // namespace

bool can_disassemble(Architecture architecture) {
  return architecture == Architecture::kX86_64 || architecture == Architecture::kAarch64;
}

Result<Disassembly> disassemble(const ObjectFile& object, std::span<const Instruction> others) {
  if (!can_disassemble(object.architecture))
    return Error{ErrorKind::kBadInput, fmt::format("no disassembler here for {}", name_of(object.architecture)), ""};
  Disassembly out;
  out.architecture = object.architecture;
  int major = 0;
  int minor = 0;
  cs_version(&major, &minor);
  out.tool = fmt::format("capstone {}.{}", major, minor);
  Capstone capstone(object.architecture);
  for (const CodeSection& section : object.code) {
    if (!capstone.decode(section, others, out)) out.truncated = true;
  }
  add_lines(out.instructions, object.lines);
  return out;
}

std::string flat_dump(const Disassembly& disassembly) {
  std::string text;
  for (const Instruction& i : disassembly.instructions)
    text += fmt::format("{:#08x}: {}\t{}\n", i.address, i.mnemonic, i.operands);
  return text;
}

void add_lines(std::vector<Instruction>& instructions, const std::vector<CodeLine>& lines) {
  auto next = lines.begin();
  std::uint32_t line = 0;
  for (Instruction& instruction : instructions) {
    for (; next != lines.end() && next->address <= instruction.address; ++next) line = next->line;
    instruction.line = line;
  }
}

}  // namespace vizd
