// Values of a pickle as Python's json.dumps would write them. Pure, any thread.
#pragma once

#include <optional>
#include <string>

#include "formats/pickle/tree.h"

namespace vizd::tinygrad {

// None, bools, numbers, texts, tuples, lists and dicts of those. Nothing where json.dumps raises, for infinity and NaN,
// which are no JSON, and for what nests deeper than 100 or would take more than so many bytes: tuples that share their
// items could grow without end.
inline constexpr std::size_t kMostJson_bytes = std::size_t{16} << 20;
std::optional<std::string> json_value(const pickle::Tree& tree, pickle::Node node,
                                      std::size_t most_bytes = kMostJson_bytes);

// A dict's key, which is always a text: of numbers and None their own. Nothing where json.dumps raises.
std::optional<std::string> json_key(const pickle::Tree& tree, pickle::Node node);

}  // namespace vizd::tinygrad
