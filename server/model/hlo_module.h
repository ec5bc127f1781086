// hlo::Module: a program of XLA as its compiler left it: computations, their instructions, and how these hang together.
// Plain data in flat tables, filled by a format; any thread may read. Names are views of the bytes (or the text) that
// the module was read from, which must outlive it: a capture keeps them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace vizd::hlo {

// A part of one of the module's tables.
struct Slice {
  std::uint32_t first = 0, count = 0;
};

struct Instruction {
  std::int64_t id = 0;
  std::string_view name, opcode;
  std::string shape;             // "f32[2,3]", "(f32[<=2], u32[])"; "" where the module has none
  std::string_view fusion_kind;  // "kLoop", …; "" where it has none
  std::string_view op_name;      // "jit(f)/while/body/dot_general"; "" where it has none
  std::string_view source_file;  // has_source says whether it is known; it may be "" then
  std::int64_t source_line = 0;
  bool has_source = false;
  Slice operands, controls, calls;  // of Module::operands, ::controls and ::calls
  // Twice the multiply-adds of a dot, and of all dots that a fusion holds, at any depth; none where there is no dot.
  // What does not fit 64 bits is the largest number that does.
  std::optional<std::int64_t> dot_flop, flop;

  bool is_fusion() const { return opcode == "fusion"; }
  // "train.py:11"; none where it is not known.
  std::optional<std::string> source() const {
    if (!has_source) return std::nullopt;
    return std::string(source_file) + ":" + std::to_string(source_line);
  }
};

struct Computation {
  std::int64_t id = 0, root_id = 0;
  std::string_view name;
  Slice instructions;  // of Module::instructions

  bool is_root(const Instruction& instruction) const { return instruction.id == root_id; }
};

struct Module {
  std::string_view name;
  std::int64_t id = 0;
  std::string_view entry;                 // the name of the computation that runs first
  std::vector<Computation> computations;  // callees first, as compilers write them
  std::vector<Instruction> instructions;  // of one computation after the other
  std::vector<std::uint32_t> operands;    // places in instructions; kNoId: one that the module does not have
  std::vector<std::uint32_t> controls;    // likewise: instructions that must have ended before
  std::vector<std::uint32_t> calls;       // places in computations; kNoId likewise
  std::size_t stack_frames = 0;
  std::size_t size_bytes = 0;

  std::span<const Instruction> instructions_of(const Computation& computation) const {
    return std::span(instructions).subspan(computation.instructions.first, computation.instructions.count);
  }
  std::span<const std::uint32_t> operands_of(const Instruction& instruction) const {
    return std::span(operands).subspan(instruction.operands.first, instruction.operands.count);
  }
  std::span<const std::uint32_t> calls_of(const Instruction& instruction) const {
    return std::span(calls).subspan(instruction.calls.first, instruction.calls.count);
  }
  // Null where no computation has the entry's name.
  const Computation* find_entry() const {
    for (const Computation& computation : computations) {
      if (computation.name == entry) return &computation;
    }
    return nullptr;
  }
  // How many instructions the computations have that a fusion calls.
  std::size_t fused_instructions(const Instruction& fusion) const {
    std::size_t count = 0;
    for (const std::uint32_t called : calls_of(fusion)) {
      if (called != kNoId) count += computations[called].instructions.count;
    }
    return count;
  }
};

// A module of a profile, by the program that it is.
struct ProgramModule {
  std::string_view name;                    // as the module has it, else as the profile has it
  std::optional<std::uint64_t> program_id;  // none where the profile does not tell
  std::size_t size_bytes = 0;
  std::optional<Module> module;  // none: its bytes are damaged
};
// All of a host's, in the order of its file.
using HostModules = std::vector<ProgramModule>;

}  // namespace vizd::hlo
