// Text of captures in a terminal: its colours where they are wanted, and nothing else that a terminal would obey. Pure,
// but for wants_colour().
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace vizd {

// Whether out is a terminal and NO_COLOR is not set (https://no-color.org).
bool wants_colour(std::FILE* out);

// The text on one line: line breaks and tabs become spaces, colours (ESC [ … m) stay where they are wanted, and no
// other control character does.
std::string one_line(std::string_view text, bool colour);
// The same with its line breaks.
std::string many_lines(std::string_view text, bool colour);

// How many columns of the terminal a line takes.
std::size_t columns_on_screen(std::string_view line);

}  // namespace vizd
