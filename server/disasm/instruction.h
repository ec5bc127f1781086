// Instruction: one machine instruction as vizd shows it, and Disassembly: those of a program. Plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "disasm/architecture.h"

namespace vizd {

// The main thing an instruction does, for the mix. A vector multiply-add that reads memory is kFloat.
enum class InstructionKind : std::uint8_t {
  kLoad,
  kStore,
  kMove,
  kShuffle,
  kFloat,
  kVectorInteger,
  kInteger,
  kCompare,
  kBranch,
  kCall,
  kNothing,
  kOther
};
inline constexpr std::size_t kInstructionKinds = 12;
std::string_view name_of(InstructionKind kind);  // "load", …

// [base + index * scale + displacement]. Registers are families (see Instruction); "" where there is none.
struct MemoryOperand {
  std::string base;
  std::string index;
  std::int32_t scale = 1;
  std::int64_t displacement = 0;
  std::uint32_t size_bytes = 0;  // 0 where it is not known
  bool is_read = false;
  bool is_written = false;
};

struct Instruction {
  std::uint64_t address = 0;
  std::uint32_t size_bytes = 0;
  std::string bytes;  // hexadecimal digits, two a byte
  std::string mnemonic;
  std::string operands;  // as the disassembler writes them
  // The disassembler does not know it (then it is a ".byte"), or is known to misread such ones.
  bool is_doubtful = false;
  InstructionKind kind = InstructionKind::kOther;
  // Register families, each once: eax is part of rax, xmm3 of zmm3, w1 of x1. Flags are not among them.
  std::vector<std::string> reads;
  std::vector<std::string> writes;
  std::vector<MemoryOperand> memory;
  std::optional<std::uint64_t> target;  // of a direct jump or call: an address
  bool is_jump = false;                 // leaves the block, to its target or elsewhere
  bool falls_through = true;            // may be followed by the next one
  std::uint32_t line = 0;               // of the source; 0 where it is not known
};

struct Disassembly {
  Architecture architecture = Architecture::kUnknown;
  std::string tool;                             // "capstone 4.0.2"
  std::vector<Instruction> instructions;        // by address
  std::map<std::string, std::string> families;  // by register as it is written, of those that differ: "eax" -> "rax"
  bool truncated = false;                       // there are more instructions than are shown
};

// A program of more is shown up to here.
inline constexpr std::size_t kMostInstructions = 200'000;

}  // namespace vizd
