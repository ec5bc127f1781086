// Asks llvm-mca about instructions: their latency and throughput, which of the processor's resources they take, and
// what holds up a loop of them. The program runs as a child that is trusted with nothing (child_program.h), on text
// that vizd made from decoded instructions. Any thread; waits.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "disasm/instruction.h"
#include "disasm/toolchain.h"

namespace vizd {

struct ResourceUse {
  std::uint32_t resource = 0;
  double cycles = 0;
};

struct InstructionCost {
  std::uint32_t instruction = 0;     // among those given
  std::uint32_t latency = 0;         // cycles
  double reciprocal_throughput = 0;  // cycles
  std::uint32_t micro_ops = 0;
  std::vector<ResourceUse> resources;
};

struct MachineAnalysis {
  std::string cpu;  // the model, as llvm-mca knows it
  // Where "native" was asked for and llvm-mca's model of this machine lacks instructions: the first of them. cpu is
  // then another processor, whose model has them all.
  std::string lacked;
  std::vector<std::string> resources;                                     // names
  std::vector<InstructionCost> costs;                                     // of the instructions that llvm-mca knows
  std::vector<std::uint32_t> unknown;                                     // the others
  std::vector<ResourceUse> pressure;                                      // a round's
  std::uint64_t rounds = 0, cycles = 0, instructions = 0, micro_ops = 0;  // of the whole simulation
  std::uint32_t dispatch_width = 0;
  double instructions_per_cycle = 0, block_throughput = 0;
  std::string bottlenecks;  // the report, as llvm-mca prints it
};

// The processors that may be asked for, "native" (the machine's own) first.
std::span<const std::string_view> analysis_cpus(Architecture architecture);

// Assembly text that llvm-mca reads: a line an instruction.
std::string assembly_text(Architecture architecture, std::span<const Instruction> instructions);

// At most this many instructions are analysed at once.
inline constexpr std::size_t kMostAnalysed = 5'000;

// Errors: a processor that is not on the list or lacks the instructions, too many instructions, what llvm-mca says.
Result<MachineAnalysis> analyse_machine_code(const Toolchain& tools, Architecture architecture,
                                             std::span<const Instruction> instructions, std::string_view cpu);

// llvm-mca's JSON as the reference sends it: get_llvm_mca of tinygrad's serve.py (2025-09), JSON {rows, cols, summary}.
// Errors: it is not what llvm-mca writes.
Result<std::string> reference_table(std::string_view mca_json);
// The same of a program: what /disasm answers, where the reference has no answer too: see MachineAnalysis::lacked.
Result<std::string> reference_analysis(const Toolchain& tools, Architecture architecture,
                                       std::span<const Instruction> instructions);

}  // namespace vizd
