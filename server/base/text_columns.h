// How many columns text takes where every character is as wide as another: on a terminal, and in the boxes of a graph.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vizd {

// Columns that a character takes: 0, 1 or 2.
std::uint32_t columns_of(char32_t character);

// Columns that a line takes; colours (ESC [ … m) take none.
std::size_t columns_on_screen(std::string_view line);

}  // namespace vizd
