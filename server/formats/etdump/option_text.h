// Texts of options and of the files that they name, as numbers and without the blanks around them. Pure functions.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace vizd::etdump {

// None where the text is anything besides.
template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

inline std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto first = text.find_first_not_of(kBlanks);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

}  // namespace vizd::etdump
