// The rows of tinygrad at commit 461e9becec (2025-09) and of the release before it in the table of versions.
#pragma once

#include "formats/tinygrad/version.h"

namespace vizd::tinygrad_2025_09 {

extern const tinygrad::Version kVersion;
// The release 0.11.0: the same but for one op and what its enumerations have not yet.
extern const tinygrad::Version kRelease;

}  // namespace vizd::tinygrad_2025_09
