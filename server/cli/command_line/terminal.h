// Whether a terminal wants colours. Any thread.
#pragma once

#include <cstdio>

namespace vizd {

// Whether out is a terminal and NO_COLOR is not set (https://no-color.org).
bool wants_colour(std::FILE* out);

}  // namespace vizd
