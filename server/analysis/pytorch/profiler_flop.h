// The arithmetic of one call of a PyTorch operator as PyTorch's own profiler counts it (with_flops, computeFlops of
// torch/csrc/profiler/util.cpp), so that the figures are those of its tables: products of matrices, aten::conv2d, and
// one for each element of aten::add and aten::mul. operator_cost.h knows more operators, and their bytes. Pure.
#pragma once

#include <optional>

#include "analysis/pytorch/operator_record.h"

namespace vizd {

// None where the profiler counts nothing of the operator, or the inputs do not tell.
std::optional<double> profiler_flop(const OperatorInputs& inputs);

}  // namespace vizd
