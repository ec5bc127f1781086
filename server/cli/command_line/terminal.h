// What a terminal shows: whether it wants colours, and how wide a line is there. Pure, but for wants_colour().
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/clean_text.h"

namespace vizd {

// Whether out is a terminal and NO_COLOR is not set (https://no-color.org).
bool wants_colour(std::FILE* out);

// How many columns of the terminal a line takes.
std::size_t columns_on_screen(std::string_view line);

}  // namespace vizd
