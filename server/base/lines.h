// The lines of a text. Pure functions, any thread.
#pragma once

#include <string_view>
#include <vector>

namespace vizd {

// The lines of a UTF-8 text without their ends, cut where Python's str.splitlines cuts: at \n, \r, \r\n, \v, \f,
// \x1c to \x1e, U+0085, U+2028 and U+2029. A last end makes no empty line after it. Views into text.
std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace vizd
