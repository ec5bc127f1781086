// The numbers of 2025-09's ops, as captures hold them, and what the ops are in expressions. Pure functions, any thread.
#pragma once

#include <cstdint>

#include "formats/tinygrad/symbolic/ops.h"

namespace vizd::tinygrad_2025_09 {

// kOpaque for an op that is no arithmetic.
tinygrad::Ops expression_op(std::uint16_t number);
std::uint16_t number_of(tinygrad::Ops op);

}  // namespace vizd::tinygrad_2025_09
