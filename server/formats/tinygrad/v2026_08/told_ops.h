// Which ops a capture has whose tinygrad numbers them in a way of its own: told by what identifies them. A change of
// tinygrad adds an op or takes one away, and moves all behind it; their order stays.
#pragma once

#include <string_view>
#include <vector>

#include "formats/pickle/tree.h"

namespace vizd::tinygrad_2026_08 {

// The names of 2026-08 (kOpNames) by the capture's numbers, from 1; "" where the arguments, sources and types that the
// capture has do not decide. Empty where the numbers are too far from those of 2026-08 and 0.14.0, or it has no ops.
std::vector<std::string_view> told_ops(const pickle::Tree& tree);

}  // namespace vizd::tinygrad_2026_08
