// The row of tinygrad at commit 461e9becec (2025-09) in the table of versions.
#pragma once

#include "formats/tinygrad/version.h"

namespace vizd::tinygrad_2025_09 {

extern const tinygrad::Version kVersion;

}  // namespace vizd::tinygrad_2025_09
