// Where tracks stood, by stack: how many of their samples each stack has. Any thread; the capture is only read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/capture.h"

namespace vizd {

struct StackShare {
  StackId stack{kNoId};
  std::uint64_t samples = 0;
  double weight = 0;  // what the samples stand for
};

struct StackTable {
  std::vector<StackShare> stacks;  // the most weight first, at most as many as asked for
  std::uint64_t samples = 0;       // all, those of stacks that are not listed too
  double weight = 0;
  std::size_t stack_count = 0;
};

// Counts samples in [from_ns, to_ns], on the capture's clock, on these tracks. A sample of a missing stack is left out.
StackTable stack_table(const Capture& capture, const std::vector<std::uint32_t>& tracks, std::int64_t from_ns,
                       std::int64_t to_ns, std::size_t most);

}  // namespace vizd
