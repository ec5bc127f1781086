// Reads a text that is a whole number and nothing else: with a sign perhaps, without spaces.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vizd {

// None: it is no such text, or beyond what a number can be.
inline std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace vizd
