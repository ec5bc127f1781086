// The width of a terminal's window. Any thread.
#pragma once

#include <cstddef>
#include <cstdio>

namespace vizd {

// The columns of the window that out is; 0 where it is none.
std::size_t window_columns(std::FILE* out);

}  // namespace vizd
