// OperatorCost: the arithmetic of one call of a PyTorch operator, and the bytes that it must move, from the shapes and
// values that the profiler recorded. A multiply-add is two; bytes are each input read once and each output written
// once. docs/figures.md has the formulas. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace vizd {

struct OperatorCost {
  double flop = 0;
  std::optional<double> bytes;  // none: of a type whose size is not known
};

// The inputs of a call as the profiler recorded them, in JSON; "" where it did not.
struct OperatorInputs {
  std::string_view name;      // "aten::mm"
  std::string_view dims;      // "Input Dims": [[5, 128], [128, 128], []]
  std::string_view types;     // "Input type": ["float", "float", ""]
  std::string_view concrete;  // "Concrete Inputs": ["", "", "[1, 1]"]
};

// None where the operator is not known, or the inputs do not tell.
std::optional<OperatorCost> operator_cost(const OperatorInputs& inputs);

// Of an element of that type, as the profiler spells it; none where it is not known.
std::optional<int> item_size_bytes(std::string_view type);

}  // namespace vizd
