// Amounts as people read them: three digits that count, with the unit's prefix. Pure.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <utility>

namespace vizd {

// units: sizes with their words, the largest first: {{1e9, "s"}, {1e6, "ms"}}.
std::string scaled_text(double value, std::initializer_list<std::pair<double, const char*>> units);
// "24.2 GB", "3.35 TB/s".
std::string rate_text(double amount, const char* unit);
// "24.2 GB".
std::string bytes_text(std::integral auto bytes) { return rate_text(static_cast<double>(bytes), "B"); }

}  // namespace vizd
