// OperatorShapes: operators told apart by their inputs' types, layouts and shapes, each as people read it:
// "aten::copy_ f32[64], bf16[64]". Refers to nothing. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/devices/operators.h"

namespace vizd {

struct OperatorShapes {
  std::vector<std::uint32_t> of_operator;  // by Operators::all: place in texts
  std::vector<std::string> texts;          // each once
};

OperatorShapes find_operator_shapes(const Capture& capture, const Operators& operators);

}  // namespace vizd
