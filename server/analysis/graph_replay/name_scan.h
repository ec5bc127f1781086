// NameScan: reads a name from its beginning, word by word and number by number. Refers to the name. One thread.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vizd {

class NameScan {
 public:
  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  static constexpr bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  explicit NameScan(std::string_view name) : rest_(name) {}

  std::string_view rest() const { return rest_; }
  bool is_at_end() const { return rest_.empty(); }
  void skip() { rest_.remove_prefix(1); }

  // Whether this comes next; goes past it.
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  template <typename Is>
  std::string_view take_while(Is&& is) {
    std::size_t end = 0;
    while (end < rest_.size() && is(rest_[end])) ++end;
    const std::string_view taken = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return taken;
  }
  // The digits that come next; none where there are none, or the number is beyond 15 digits.
  std::optional<std::int64_t> number() {
    const std::string_view digits = take_while(is_digit);
    constexpr std::size_t kMostDigits = 15;
    if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }

 private:
  std::string_view rest_;
};

}  // namespace vizd
