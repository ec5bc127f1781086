// kMostExact: a number of JavaScript, or of a spreadsheet, is a double, which holds each whole number only up to it.
#pragma once

#include <cstdint>

namespace vizd {

inline constexpr std::int64_t kMostExact = std::int64_t{1} << 53;

constexpr bool is_exact(std::int64_t number) { return number >= -kMostExact && number <= kMostExact; }

}  // namespace vizd
