#include "disasm/instruction_kind.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace vizd {
namespace {

bool begins_with(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view b) { return text.starts_with(b); });
}

bool touches_memory(const Instruction& i, bool MemoryOperand::*how) {
  return std::any_of(i.memory.begin(), i.memory.end(), [&](const MemoryOperand& m) { return m.*how; });
}

bool touches_register(const Instruction& i, std::string_view beginning) {
  const auto fits = [&](const std::string& family) { return family.starts_with(beginning); };
  return std::any_of(i.reads.begin(), i.reads.end(), fits) || std::any_of(i.writes.begin(), i.writes.end(), fits);
}

// vaddps, mulsd, vfmadd231ps: the last letters name the type.
bool is_x86_float(std::string_view name) {
  return name.ends_with("ps") || name.ends_with("pd") || name.ends_with("ss") || name.ends_with("sd") ||
         name.ends_with("ph") || name.ends_with("sh") || begins_with(name, {"fadd", "fmul", "fld", "fst"});
}

InstructionKind x86_kind(const Instruction& i) {
  using enum InstructionKind;
  std::string_view name = i.mnemonic;
  if (begins_with(name, {"nop", "endbr", "data16", "vzeroupper"})) return kNothing;
  if (name.starts_with("lea")) return kInteger;
  const bool is_vector = touches_register(i, "zmm");
  if (is_vector && name.starts_with('v')) name.remove_prefix(1);
  if (begins_with(name, {"cmp", "test", "ucomi", "comi", "pcmp", "ptest", "bt"}) && !is_vector) return kCompare;
  if (begins_with(name, {"ucomi", "comi", "pcmp", "ptest", "cmp"})) return kCompare;
  const bool is_move = begins_with(
      name, {"mov", "kmov", "push", "pop", "broadcast", "pbroadcast", "maskmov", "gather", "pgather", "lddqu", "cmov"});
  if (is_move && touches_memory(i, &MemoryOperand::is_written)) return kStore;
  if (is_move && touches_memory(i, &MemoryOperand::is_read)) return kLoad;
  if (is_move && begins_with(name, {"broadcast", "pbroadcast", "movddup", "movshdup", "movsldup"})) return kShuffle;
  if (name.starts_with("push")) return kStore;
  if (name.starts_with("pop") && !name.starts_with("popcnt")) return kLoad;
  if (is_move) return kMove;
  if (begins_with(
          name, {"shuf",   "pshuf", "perm",   "unpck", "punpck", "insert", "extract", "pinsr",  "pextr",    "blend",
                 "pblend", "align", "palign", "cvt",   "pack",   "pmov",   "pslldq",  "psrldq", "compress", "expand"}))
    return kShuffle;
  if (is_vector && is_x86_float(name)) return kFloat;
  return is_vector ? kVectorInteger : kInteger;
}

InstructionKind aarch64_kind(const Instruction& i) {
  using enum InstructionKind;
  const std::string_view name = i.mnemonic;
  if (begins_with(name, {"nop", "hint", "bti"})) return kNothing;
  if (begins_with(name, {"ld", "pld", "prfm"})) return kLoad;
  if (name.starts_with("st")) return kStore;
  if (begins_with(name, {"cmp", "cmn", "tst", "ccmp", "fcmp", "fccmp", "cmeq", "cmg", "cmh", "fcm"})) return kCompare;
  if (begins_with(name, {"fmov", "mov", "mvn", "csel", "fcsel", "cset"})) return kMove;
  if (begins_with(name, {"fcvt", "scvtf", "ucvtf", "zip", "uzp", "trn", "ext", "tbl", "tbx", "dup", "ins", "rev", "xtn",
                         "sxtl", "uxtl", "ushll", "sshll"}) &&
      touches_register(i, "v"))
    return kShuffle;
  if (name.starts_with('f')) return kFloat;
  return touches_register(i, "v") ? kVectorInteger : kInteger;
}

InstructionKind amdgpu_kind(std::string_view name) {
  using enum InstructionKind;
  if (begins_with(name, {"s_nop", "s_waitcnt", "s_code_end", "s_delay", "s_clause", "v_nop"})) return kNothing;
  if (name.find("load") != std::string_view::npos || name.starts_with("ds_read")) return kLoad;
  if (name.find("store") != std::string_view::npos || name.starts_with("ds_write")) return kStore;
  if (begins_with(name, {"v_cmp", "s_cmp", "s_bitcmp"})) return kCompare;
  if (begins_with(name, {"v_mov", "s_mov", "v_readlane", "v_writelane", "v_readfirstlane", "s_cselect", "v_cndmask",
                         "v_accvgpr"}))
    return kMove;
  if (begins_with(name, {"v_cvt", "v_perm", "v_pk_cvt", "ds_bpermute", "ds_permute", "ds_swizzle"})) return kShuffle;
  if (begins_with(name, {"v_mfma", "v_wmma", "v_dot"})) return kFloat;
  const bool is_float = name.find("_f32") != std::string_view::npos || name.find("_f16") != std::string_view::npos ||
                        name.find("_f64") != std::string_view::npos || name.find("_bf16") != std::string_view::npos;
  if (name.starts_with("v_")) return is_float ? kFloat : kVectorInteger;
  return name.starts_with("s_") ? kInteger : kOther;
}

InstructionKind riscv_kind(std::string_view name) {
  using enum InstructionKind;
  if (name.starts_with("c.")) name.remove_prefix(2);
  if (name == "nop") return kNothing;
  constexpr std::array<std::string_view, 10> kLoads{"lb", "lbu", "lh", "lhu", "lw", "lwu", "ld", "flh", "flw", "fld"};
  constexpr std::array<std::string_view, 7> kStores{"sb", "sh", "sw", "sd", "fsh", "fsw", "fsd"};
  if (std::find(kLoads.begin(), kLoads.end(), name) != kLoads.end() || begins_with(name, {"vl", "lr."})) return kLoad;
  if (std::find(kStores.begin(), kStores.end(), name) != kStores.end()) return kStore;
  if (begins_with(name, {"vse", "vss", "vsux", "vsox", "sc."})) return kStore;
  if (begins_with(name, {"mv", "li", "lui", "auipc", "fmv", "vmv", "la"})) return kMove;
  if (begins_with(name, {"slt", "seqz", "snez", "feq", "flt", "fle", "vms", "vmf"})) return kCompare;
  if (name == "call" || name.starts_with("jal")) return kCall;
  if (name.starts_with("fcvt")) return kShuffle;
  if (name.starts_with('f') || name.starts_with("vf")) return kFloat;
  return name.starts_with('v') ? kVectorInteger : kInteger;
}

InstructionKind nvidia_kind(std::string_view name) {
  using enum InstructionKind;
  if (begins_with(name, {"NOP", "DEPBAR", "BAR", "WARPSYNC", "YIELD"})) return kNothing;
  if (begins_with(name, {"LD", "ULD"})) return kLoad;
  if (name.starts_with("ST")) return kStore;
  if (begins_with(name, {"ISETP", "FSETP", "DSETP", "HSETP", "PLOP", "UISETP"})) return kCompare;
  if (begins_with(name, {"MOV", "UMOV", "S2R", "S2UR", "SEL", "FSEL", "CS2R", "R2UR", "IMAD.MOV"})) return kMove;
  if (begins_with(name, {"PRMT", "SHFL", "F2", "I2", "MOVM"})) return kShuffle;
  if (begins_with(name, {"HMMA", "DMMA", "IMMA", "HGMMA", "MUFU", "FADD", "FMUL", "FFMA", "FMNMX", "DADD", "DMUL",
                         "DFMA", "HADD", "HMUL", "HFMA"}))
    return kFloat;
  if (begins_with(name, {"CALL"})) return kCall;
  return kInteger;
}

}  // namespace

std::string_view name_of(InstructionKind kind) {
  constexpr std::array<std::string_view, kInstructionKinds> kNames{
      "load",    "store",  "move", "shuffle, convert", "floating point", "vector integer", "integer",
      "compare", "branch", "call", "no operation",     "other"};
  return kNames[static_cast<std::size_t>(kind)];
}

InstructionKind kind_of(Architecture architecture, const Instruction& instruction) {
  if (instruction.kind == InstructionKind::kBranch || instruction.kind == InstructionKind::kCall)
    return instruction.kind;
  if (architecture == Architecture::kX86_64) return x86_kind(instruction);
  if (architecture == Architecture::kAarch64) return aarch64_kind(instruction);
  if (architecture == Architecture::kAmdgpu) return amdgpu_kind(instruction.mnemonic);
  if (architecture == Architecture::kRiscv64) return riscv_kind(instruction.mnemonic);
  if (architecture == Architecture::kNvidia) return nvidia_kind(instruction.mnemonic);
  return InstructionKind::kOther;
}

}  // namespace vizd
