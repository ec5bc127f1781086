// What the ops of tinygrad's 2025-09 captures mean: labels, colours, printed graphs, exactly as its viewer has them.
#pragma once

#include <memory>

#include "model/capture.h"

namespace vizd::tinygrad_2025_09 {

// Made after the capture's rewrites were read; keeps a reference to it. Adds the few values that error_op() needs.
std::unique_ptr<Dialect> make_dialect(Capture& capture);

}  // namespace vizd::tinygrad_2025_09
