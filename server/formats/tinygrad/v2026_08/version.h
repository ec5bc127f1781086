// The rows of tinygrad at commit a9069c177a (2026-08) and of its release 0.14.0 in the table of versions. They differ
// in one op, WAIT, which the release does not have: there the ops after it have the number before.
#pragma once

#include "formats/tinygrad/version.h"

namespace vizd::tinygrad_2026_08 {

extern const tinygrad::Version kVersion;
extern const tinygrad::Version kRelease;
// Any other of 2026, older or newer: what its captures say by name is known, its numbers are not.
extern const tinygrad::Version kOther;

}  // namespace vizd::tinygrad_2026_08
