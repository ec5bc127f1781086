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
  return InstructionKind::kOther;
}

}  // namespace vizd
