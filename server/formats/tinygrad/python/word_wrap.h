// tinygrad's helpers.word_wrap. A pure function, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vizd::python {

// The text with its lines broken after `width` visible characters, if it is longer than that; ANSI escapes count as
// nothing, but one that the break would cut counts until it is whole, as in the reference (helpers.py word_wrap).
// After 1,000 breaks a line stays as it is.
std::string word_wrap(std::string_view text, std::size_t width = 80);

}  // namespace vizd::python
