// What a terminal wants: colours, and lines that are no longer than its window. Any thread.
#pragma once

#include <cstddef>
#include <cstdio>

namespace vizd {

// Whether out is a terminal and NO_COLOR is not set (https://no-color.org).
bool wants_colour(std::FILE* out);

// The columns of the window that out is; 0 where it is none.
std::size_t window_columns(std::FILE* out);

}  // namespace vizd
