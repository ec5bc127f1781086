// By which numbers a pickle calls its ops: it does not say, so the number of its constants tells. Pure, any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/pickle/tree.h"

namespace vizd::tinygrad_2026_08 {

// The number of the first op that can be nothing but a CONST: without sources, of a number, of a plain dtype. Nothing
// where the pickle has none, or names its ops.
std::optional<std::int64_t> const_number(const pickle::Tree& tree);

}  // namespace vizd::tinygrad_2026_08
