// The arithmetic of dots: of one by its shapes, and of all that fusions hold. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/hlo_module.h"

namespace vizd::hlo {

// Two operations for each element of the result and each element that is contracted. dot: a DotDimensionNumbers; left
// and result: dimensions. Throws DamagedMessage where dot is damaged.
std::int64_t dot_flop(std::string_view dot, std::span<const std::int64_t> left, std::span<const std::int64_t> result);

// Instruction::flop of all instructions, from their dot_flop. Fusions within fusions count to a depth of eight, so that
// computations that call each other in a ring end; the cost is linear in the module's size.
void sum_fused_dots(Module& module);

}  // namespace vizd::hlo
