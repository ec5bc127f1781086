// Which release's rules an op's shape, loops and texts follow. Constant; any thread.
#pragma once

#include <cstdint>

#include "formats/tinygrad/symbolic/language.h"

namespace vizd::tinygrad_2026_08 {

enum class Release : std::uint8_t {
  k12,  // 0.12.0
  k13,  // 0.13.0
  k14,  // 0.14.0 and 2026-08
};

// Expressions as the release has them. Of 0.12.0 and 0.13.0 the rules are those of the versions beside them: what a
// label shows has been simplified by the passes before, and stays as it is by either.
const tinygrad::Language& language_of(Release release);

}  // namespace vizd::tinygrad_2026_08
