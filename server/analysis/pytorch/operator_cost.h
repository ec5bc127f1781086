// OperatorCost: the arithmetic of one call of a PyTorch operator, and the bytes that it must move, from the shapes and
// values that the profiler recorded. A multiply-add is two; bytes are each input read once and each output written
// once. docs/figures.md has the formulas. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/pytorch/operator_record.h"

namespace vizd {

// Which pairs attention multiplies: those of all queries and keys, or of each query those up to its own place.
enum class AttentionMask : std::uint8_t { kNone, kFull, kCausal, kNotTold };  // kNone: it is no attention

struct OperatorCost {
  double flop = 0;              // of a mask that is not told that of all pairs
  std::optional<double> bytes;  // none: of a type whose size is not known
  AttentionMask mask = AttentionMask::kNone;
  double causal_share = 1;  // of a mask that is not told: of the FLOP, if it is causal
};

// None where the operator is not known, or the inputs do not tell.
std::optional<OperatorCost> operator_cost(const OperatorInputs& inputs);

}  // namespace vizd
