// Pattern: a pattern of LIKE or GLOB, as SQLite's own, but matched in steps that a budget counts: a hostile pattern on
// a long text takes a billion of them. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.h"

namespace vizd::sql {

class Pattern {
 public:
  // escape: the character after which one stands for itself; 0: none.
  static Pattern like(std::string_view text, char32_t escape);
  static Pattern glob(std::string_view text);

  // None where the budget was over before it was known.
  std::optional<bool> matches(std::string_view text, const Budget& budget) const;

 private:
  enum class Kind : std::uint8_t { kAnyText, kAnyChar, kChar, kOneOf, kNoneOf, kNothing };
  struct Part {
    Kind kind;
    char32_t code = 0;
    std::vector<std::pair<char32_t, char32_t>> ranges = {};
  };

  static bool fits(const Part& part, char32_t code);

  bool ignores_case_ = false;
  std::vector<Part> parts_;
};

// Whether the byte is inside a character of UTF-8.
constexpr bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u; }

// The character at that place, and moves the place behind it. Broken UTF-8 gives some code for each piece.
char32_t take_char(std::string_view text, std::size_t& at);

}  // namespace vizd::sql
