// Which release's rules an op's shape, loops and texts follow. Constant; any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/tinygrad/symbolic/language.h"

namespace vizd::tinygrad_2026_08 {

enum class Release : std::uint8_t {
  k12,  // 0.12.0
  k13,  // 0.13.0
  k14,  // 0.14.0 and 2026-08
};

// Expressions as the release has them. Of 0.12.0, // and % are simplified by the rules of 2025-09.
const tinygrad::Language& language_of(Release release);

// The release's own op for one of an expression: 0.12.0 calls CDIV IDIV.
tinygrad::Ops own_op(tinygrad::Ops op, Release release);

// The name of any op that an expression may hold, also of those that only earlier releases have.
std::string_view earlier_op_name(tinygrad::Ops op);

}  // namespace vizd::tinygrad_2026_08
