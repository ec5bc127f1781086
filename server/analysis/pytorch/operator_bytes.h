// OperatorBytes: the bytes that a call of an operator which mostly moves memory must move at least, from the shapes and
// types of its inputs: elementwise, copies, reductions, norms, softmax, look-ups, optimizers, and the kernels that
// Inductor makes with Triton. docs/figures.md has the rules. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/pytorch/operator_cost.h"

namespace vizd {

// How the work of a launch is known.
enum class WorkSource : std::uint8_t {
  kNone,
  kOwn,      // the capture says it of the kernel itself
  kFormula,  // arithmetic and bytes by the operator's formula (operator_cost.h)
  kElementwise,
  kCopy,
  kReduction,
  kNorm,
  kSoftmax,
  kLookup,
  kOptimizer,
  kTriton,        // each tensor that the kernel is given, once
  kGraphCapture,  // of a replay's work: by any of these, of the shapes that the graph was captured with
  kStepSums       // likewise of attention: by what the server says of the step's requests, and captured heads
};
inline constexpr std::string_view kWorkSourceNames[] = {
    "",        "capture", "formula",   "elementwise", "copy",          "reduction",  "norm",
    "softmax", "look-up", "optimizer", "Triton",      "graph capture", "step's sums"};

struct OperatorBytes {
  double bytes = 0;
  WorkSource source = WorkSource::kNone;
};

// None where the operator is not known, or the inputs do not tell.
std::optional<OperatorBytes> operator_bytes(const OperatorInputs& inputs);

}  // namespace vizd
