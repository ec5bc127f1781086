// Control flow of a disassembly: basic blocks, the edges between them, and loops. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "disasm/instruction.h"

namespace vizd {

inline constexpr std::uint32_t kNoBlock = 0xFFFFFFFF;
inline constexpr std::uint32_t kNoLoop = 0xFFFFFFFF;

// Instructions that run one after the other: entered at the first, left after the last.
struct BasicBlock {
  std::uint32_t first = 0;  // instruction
  std::uint32_t count = 0;
  std::uint32_t loop = kNoLoop;  // the innermost
  std::uint32_t depth = 0;       // loops around it
  bool is_padding = false;       // does nothing, and no way leads to it: room before a loop's head or after the end
};

struct FlowEdge {
  std::uint32_t from = 0;  // blocks
  std::uint32_t to = 0;
  bool is_jump = false;  // else the next block by falling through
  bool is_back = false;  // to the head of a loop, from within
};

// A natural loop: its head, and all that reaches a jump back to the head without passing it.
struct Loop {
  std::uint32_t head = 0;
  std::uint32_t parent = kNoLoop;
  std::uint32_t depth = 1;
  std::vector<std::uint32_t> blocks;  // in order, with those of inner loops
};

struct ControlFlow {
  std::vector<BasicBlock> blocks;  // by address
  std::vector<FlowEdge> edges;
  std::vector<Loop> loops;  // an outer one before those in it
};

// Jumps to places where no instruction begins have no edge. Calls end no block.
ControlFlow find_control_flow(std::span<const Instruction> instructions);

}  // namespace vizd
