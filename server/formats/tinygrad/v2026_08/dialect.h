// The dialect of tinygrad at 2026-08 (released as 0.14.0).
#pragma once

#include <memory>

#include "model/capture.h"
#include "model/dialect.h"

namespace vizd::tinygrad_2026_08 {

// The capture may still be read while this is made, but its values are not to change while labels are.
std::unique_ptr<Dialect> make_dialect(Capture& capture);
// The dialect of 0.12.0 and 0.13.0: an op that is made again keeps its dtype, and no rewrite enters the body of a call.
std::unique_ptr<Dialect> make_dialect_12(Capture& capture);
std::unique_ptr<Dialect> make_dialect_13(Capture& capture);

}  // namespace vizd::tinygrad_2026_08
