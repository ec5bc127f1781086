// The shape that follows from an op's sources (tinygrad's UOp._shape), for ops of a capture and for expressions alike.
// ShapeId::kRaises stands for all that raises in tinygrad, here or in a source.
#pragma once

#include "formats/tinygrad/symbolic/shaped_op.h"
#include "formats/tinygrad/symbolic/simplifier.h"
#include "formats/tinygrad/v2026_08/ops.h"

namespace vizd::tinygrad_2026_08 {

ShapeId find_shape(ShapedOp& op, Simplifier& simplifier);

}  // namespace vizd::tinygrad_2026_08
