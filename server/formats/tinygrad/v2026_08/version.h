// The rows of tinygrad at commit a9069c177a (2026-08) and of its release 0.14.0 in the table of versions. They differ
// in one op, WAIT, which the release does not have: there the ops after it have the number before. And the rows of
// the tinygrads around them, whose captures are read by the same dialect as far as that fits.
#pragma once

#include "formats/tinygrad/version.h"

namespace vizd::tinygrad_2026_08 {

extern const tinygrad::Version kVersion;
extern const tinygrad::Version kRelease;
// The releases 0.12.0 and 0.13.0, whose ops have numbers and partly names of their own: what they share with 2026-08 is
// shown as that shows it.
extern const tinygrad::Version kRelease12;
extern const tinygrad::Version kRelease13;
// Whether a pickle that names its ops calls them as one of those two did, and as 2026-08 does not.
bool names_earlier_ops(const pickle::Tree& tree);
// Any other of 2026, older or newer: what its captures say by name is known, its numbers are not.
extern const tinygrad::Version kOther;

}  // namespace vizd::tinygrad_2026_08
