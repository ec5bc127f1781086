// The dtype that follows from an op's sources (tinygrad's ops.py dtype_from_uop), for ops of a capture and for
// expressions alike. Pure functions, any thread.
#pragma once

#include "formats/tinygrad/symbolic/language.h"
#include "formats/tinygrad/v2026_08/dtype.h"
#include "formats/tinygrad/v2026_08/ops.h"

namespace vizd::tinygrad_2026_08 {

DerivedDType derive_dtype(Ops op, const DTypeSources& of);

}  // namespace vizd::tinygrad_2026_08
