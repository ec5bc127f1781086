// The shape that follows from an op's sources in the releases 0.12.0 and 0.13.0 (their UOp._shape).
// ShapeId::kRaises stands for all that raises in tinygrad. Belongs to the facts' thread.
#pragma once

#include "formats/tinygrad/v2026_08/op_facts.h"
#include "formats/tinygrad/v2026_08/release.h"

namespace vizd::tinygrad_2026_08 {

// Whose sources' facts are known.
ShapeId find_earlier_shape(OpFacts& facts, const OpGraph& graph, const Op& op, Release release);

}  // namespace vizd::tinygrad_2026_08
