// What PyTorch Inductor's profile_analysis estimates of one operator, as torch 2.9 has it, from the shapes as recorded:
// see reference/inductor/estimates.h. Pure.
#pragma once

#include <optional>

#include "analysis/pytorch/operator_cost.h"

namespace vizd {

struct ReferenceEstimate {
  double flop = 0, gigabytes = 0;
};

// None where the reference raises.
std::optional<ReferenceEstimate> reference_estimate(const OperatorInputs& inputs);

}  // namespace vizd
