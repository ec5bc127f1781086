// Text compared without regard to case, as op names, host names and HTTP's own names are: of ASCII letters alone,
// whatever the locale says.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace vizd {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return ascii_lower(c); });
  return lower;
}

inline bool equal_in_any_case(char a, char b) { return ascii_lower(a) == ascii_lower(b); }

inline bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return equal_in_any_case(x, y); });
}

// Whether part stands somewhere in text; an empty part does.
inline bool contains_in_any_case(std::string_view text, std::string_view part) {
  return !std::ranges::search(text, part, [](char x, char y) { return equal_in_any_case(x, y); }).empty() ||
         part.empty();
}

}  // namespace vizd
