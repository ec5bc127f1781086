// By which numbers a pickle calls its ops: it does not say, so the number of its constants tells; and by which names,
// where it was written by a Python that names them. Pure, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/pickle/tree.h"

namespace vizd::tinygrad_2026_08 {

// The number of the first op that can be nothing but a CONST: without sources, of a number, of a plain dtype. Nothing
// where the pickle has none, or names its ops.
std::optional<std::int64_t> const_number(const pickle::Tree& tree);

// The names of ops that the pickle has; none where it numbers them.
std::vector<std::string_view> op_names_in(const pickle::Tree& tree);

}  // namespace vizd::tinygrad_2026_08
