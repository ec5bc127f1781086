// UTF-8, code point by code point. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vizd {

// The code point at text[at], and at moved past it. A lone surrogate is taken as one, as Python's surrogatepass does;
// any other byte that begins no whole sequence is taken by itself, as its value.
char32_t next_code_point(std::string_view text, std::size_t& at);

// Whether all of text is UTF-8, where surrogates count as characters (Python's surrogatepass).
bool is_utf8(std::string_view text);

// As much of the text as that many bytes hold, without a cut-off character.
std::string_view cut_text(std::string_view text, std::size_t most_bytes);

// Appends a code point; surrogates too, in three bytes.
void append_code_point(std::string& text, char32_t code_point);

}  // namespace vizd
