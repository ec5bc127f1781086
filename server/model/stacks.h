// Stacks: call stacks as a tree of frames, so that stacks that begin alike share what they have in common; and samples:
// at these times a track stood at these stacks. Plain data, filled by a format and read-only from then on.
#pragma once

#include <cstdint>
#include <vector>

#include "base/column.h"
#include "base/ids.h"
#include "base/string_table.h"

namespace vizd {

enum class StackId : std::uint32_t {};

// A line of a program: a function, and where that is.
struct Frame {
  StringId function{};
  StringId file{};         // "" where that is not known
  std::uint32_t line = 0;  // 0 where that is not known
  StringId code{};         // the line itself; "" where the capture does not bring it
};

// A stack is its innermost frame and the stack that called it.
struct Stack {
  Frame frame;
  StackId caller{kNoId};  // a smaller id; kNoId: nobody's
};

using Stacks = std::vector<Stack>;  // by StackId

struct StackSamples {
  Column<std::int64_t> at_ns;
  Column<std::uint32_t> stack;  // StackId
  Column<double> weight;        // what a sample stands for, in samples: 1 where the capture says nothing

  std::size_t size() const { return at_ns.size(); }
  bool empty() const { return at_ns.empty(); }
  void push_back(std::int64_t at, StackId id, double of = 1) {
    at_ns.push_back(at);
    stack.push_back(static_cast<std::uint32_t>(id));
    weight.push_back(of);
  }
};

// From the innermost frame to the outermost.
inline std::vector<Frame> frames_of(const Stacks& stacks, StackId id) {
  std::vector<Frame> frames;
  for (; index(id) < stacks.size(); id = stacks[index(id)].caller) frames.push_back(stacks[index(id)].frame);
  return frames;
}

}  // namespace vizd
