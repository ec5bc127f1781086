// tinygrad's captures: rewrites.pkl and profile.pkl, as written under VIZ=1 and PROFILE=1.
#pragma once

#include <cstddef>
#include <span>

#include "formats/registry.h"

namespace vizd::tinygrad {

extern const Format kFormat;

// Whether bytes begin like a pickle that names classes of tinygrad. Which of the two it is shows when it is read.
bool sniff(const FileBeginning& beginning);

// Reads either of the two files. Errors: what the pickle machine found; a pickle of something else.
Result<void> read(const FormatInput& input, Capture& capture);

}  // namespace vizd::tinygrad
