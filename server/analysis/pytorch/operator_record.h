// What the profiler records of one call of a PyTorch operator: its inputs, in the profiler's own words. Plain data.
#pragma once

#include <optional>
#include <string_view>

namespace vizd {

// The inputs of a call as the profiler recorded them, in JSON; "" where it did not.
struct OperatorInputs {
  std::string_view name;         // "aten::mm"
  std::string_view dims;         // "Input Dims": [[5, 128], [128, 128], []]
  std::string_view types;        // "Input type": ["float", "float", ""]
  std::string_view concrete;     // "Concrete Inputs": ["", "", "[1, 1]"]
  std::string_view kernel = {};  // that it launched: of lists of tensors only its name tells the type
};

// The size of an element of that type, as the profiler spells it; none if it is not known.
std::optional<int> item_size_bytes(std::string_view type);

}  // namespace vizd
