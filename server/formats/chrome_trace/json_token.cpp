#include "formats/chrome_trace/json_token.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/ascii_case.h"
#include "base/utf8.h"

namespace vizd::chrome_trace {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::int64_t kMostParsed = std::int64_t{1} << 62;
constexpr int kMostDigits = 37;  // that a Wide holds

std::optional<unsigned> hex_unit(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return std::nullopt;
  unsigned unit = 0;
  const auto [end, failed] = std::from_chars(text.data() + at, text.data() + at + 4, unit, 16);
  return failed == std::errc() && end == text.data() + at + 4 ? std::optional(unit) : std::nullopt;
}

constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";

// Appends what the escape at text[at], a backslash, means, and returns how long it is. One that JSON does not have
// stands for itself.
std::size_t append_escaped(std::string& out, std::string_view text, std::size_t at) {
  const char letter = at + 1 < text.size() ? text[at + 1] : '\0';
  if (const auto known = kLetters.find(letter); letter != '\0' && known != std::string_view::npos) {
    out += kMeanings[known];
    return 2;
  }
  const auto unit = letter == 'u' ? hex_unit(text, at + 2) : std::nullopt;
  if (!unit) {
    out += '\\';
    return 1;
  }
  constexpr unsigned kHigh = 0xD800, kLow = 0xDC00, kBeyond = 0xE000;
  if (*unit >= kHigh && *unit < kLow && text.substr(std::min(text.size(), at + 6)).starts_with("\\u")) {
    if (const auto low = hex_unit(text, at + 8); low && *low >= kLow && *low < kBeyond) {
      append_code_point(out, 0x10000 + ((*unit - kHigh) << 10) + (*low - kLow));
      return 12;
    }
  }
  append_code_point(out, *unit);
  return 6;
}

// value / 10^places, halves to the even one.
Wide divided(Wide value, int places) {
  if (places > kMostDigits) return 0;
  Wide by = 1;
  for (int i = 0; i < places; ++i) by *= 10;
  const Wide quotient = value / by, rest = value % by;
  const bool is_up = rest > by - rest || (rest == by - rest && quotient % 2 == 1);
  return quotient + (is_up ? 1 : 0);
}

// token, a number or a text of one, times 10^power as a whole number, halves to the even one.
std::optional<std::int64_t> scaled(std::string_view token, int power) {
  if (is_text(token)) token = trimmed(token.substr(1, token.size() - 2));
  std::size_t at = 0;
  const auto peek = [&] { return at < token.size() ? token[at] : '\0'; };
  const bool is_negative = peek() == '-';
  if (is_negative || peek() == '+') ++at;
  Wide value = 0;
  int digits = 0, places = 0, seen = 0;  // of value's digits so many stand behind the point
  const auto read_digits = [&](bool is_fraction) {
    for (; is_digit(peek()); ++at, ++seen) {
      if (is_fraction) ++places;
      if (value == 0 && peek() == '0') continue;
      if (++digits > kMostDigits) return false;
      value = value * 10 + static_cast<unsigned>(peek() - '0');
    }
    return true;
  };
  if (!read_digits(false)) return std::nullopt;
  if (peek() == '.') {
    ++at;
    if (!read_digits(true)) return std::nullopt;
  }
  if (seen == 0) return std::nullopt;
  int exponent = 0;
  if (peek() == 'e' || peek() == 'E') {
    ++at;
    if (peek() == '+') ++at;
    const auto [end, failed] = std::from_chars(token.data() + at, token.data() + token.size(), exponent);
    if (failed != std::errc() || exponent > 1000 || exponent < -1000) return std::nullopt;
    at = static_cast<std::size_t>(end - token.data());
  }
  if (at != token.size()) return std::nullopt;
  exponent += power - places;
  if (exponent < 0) value = divided(value, -exponent);
  for (; exponent > 0 && value != 0; --exponent) {
    value *= 10;
    if (value > Wide{kMostParsed}) return std::nullopt;
  }
  if (value > Wide{kMostParsed}) return std::nullopt;
  const auto number = static_cast<std::int64_t>(value);
  return is_negative ? -number : number;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool has_foreign_escape(std::string_view token) {
  for (std::size_t at = token.find('\\'); at != std::string_view::npos; at = token.find('\\', at)) {
    const char letter = at + 1 < token.size() ? token[at + 1] : '\0';
    const bool is_known = letter == 'u' ? hex_unit(token, at + 2).has_value() : kLetters.find(letter) != kLetters.npos;
    if (!is_known) return true;
    at += 2;
  }
  return false;
}

std::string_view text_of(std::string_view token, std::string& scratch) {
  if (!is_text(token)) return token;
  const std::string_view text = token.substr(1, token.size() - 2);
  std::size_t at = text.find('\\');
  if (at == std::string_view::npos) return text;
  scratch.assign(text.substr(0, at));
  if (has_foreign_escape(text)) {
    // But for a quote, which ends no text only as it was escaped.
    for (; at < text.size(); ++at) {
      if (!text.substr(at).starts_with("\\\"")) scratch += text[at];
    }
    return scratch;
  }
  while (at < text.size()) {
    if (text[at] == '\\') {
      at += append_escaped(scratch, text, at);
    } else {
      const std::size_t next = std::min(text.find('\\', at), text.size());
      scratch.append(text, at, next - at);
      at = next;
    }
  }
  return scratch;
}

bool mend(std::string& json) {
  bool is_mended = false;
  for (char& c : json) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x80) continue;
    c = byte < 0x20 ? ' ' : 'x';
    is_mended = true;
  }
  return is_mended;
}

std::string_view word_of(std::string_view token) {
  if (token == "true") return "True";
  return token == "false" ? "False" : token;
}

std::optional<std::int64_t> integer_of(std::string_view token) {
  std::int64_t value = 0;
  const char* const end = token.data() + token.size();
  const auto [at, failed] = std::from_chars(token.data(), end, value);
  return failed == std::errc() && at == end && !token.empty() ? std::optional(value) : std::nullopt;
}

std::optional<double> real_of(std::string_view token) {
  if (token.starts_with('+')) token.remove_prefix(1);
  if (token.empty() || !(is_digit(token.front()) || token.front() == '-' || token.front() == '.')) return std::nullopt;
  double value = 0;
  const char* const end = token.data() + token.size();
  const auto [at, failed] = std::from_chars(token.data(), end, value);
  return failed == std::errc() && at == end && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> whole_number_of(std::string_view token) { return scaled(token, 0); }

std::optional<std::int64_t> nanoseconds_of(std::string_view token) { return scaled(token, 3); }

}  // namespace vizd::chrome_trace
