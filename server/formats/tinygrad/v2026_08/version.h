// The row of tinygrad at commit a9069c177a (2026-08) in the table of versions.
#pragma once

#include "formats/tinygrad/version.h"

namespace vizd::tinygrad_2026_08 {

extern const tinygrad::Version kVersion;

}  // namespace vizd::tinygrad_2026_08
