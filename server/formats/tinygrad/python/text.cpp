#include "formats/tinygrad/python/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/utf8.h"

namespace vizd::python {
namespace {

struct Range {
  char32_t first, last;
};

// Assigned code points above ASCII that str.isprintable() denies (Unicode 14: categories Cc, Cf, Cs, Co, Zl, Zp, Zs).
constexpr Range kUnprintable[] = {
    {0x80, 0xa0},       {0xad, 0xad},         {0x600, 0x605},     {0x61c, 0x61c},     {0x6dd, 0x6dd},
    {0x70f, 0x70f},     {0x890, 0x891},       {0x8e2, 0x8e2},     {0x1680, 0x1680},   {0x180e, 0x180e},
    {0x2000, 0x200f},   {0x2028, 0x202f},     {0x205f, 0x2064},   {0x2066, 0x206f},   {0x3000, 0x3000},
    {0xd800, 0xf8ff},   {0xfeff, 0xfeff},     {0xfff9, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd},
    {0x13430, 0x13438}, {0x1bca0, 0x1bca3},   {0x1d173, 0x1d17a}, {0xe0001, 0xe0001}, {0xe0020, 0xe007f},
    {0xf0000, 0xffffd}, {0x100000, 0x10fffd},
};

bool printable(char32_t c) {
  if (c < 0x80) return c >= 0x20 && c != 0x7f;
  return std::ranges::none_of(kUnprintable, [c](const Range& r) { return r.first <= c && c <= r.last; });
}

std::string escaped(char32_t c) {
  if (c == '\t') return "\\t";
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  const auto number = static_cast<std::uint32_t>(c);
  return c < 0x100     ? fmt::format("\\x{:02x}", number)
         : c < 0x10000 ? fmt::format("\\u{:04x}", number)
                       : fmt::format("\\U{:08x}", number);
}

char quote_for(std::string_view text) {
  return text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
}

// The number of up to `most` digits of a base at text[at], and at moved past them; nothing where there are fewer than
// `least`.
std::optional<char32_t> read_digits(std::string_view text, std::size_t& at, int base, std::size_t least,
                                    std::size_t most) {
  std::uint32_t value = 0;
  const char* begin = text.data() + at;
  const char* end = begin + std::min(most, text.size() - at);
  const auto [stop, error] = std::from_chars(begin, end, value, base);
  const auto count = static_cast<std::size_t>(stop - begin);
  if (error != std::errc() || count < least) return std::nullopt;
  at += count;
  return value;
}

// What follows a backslash at text[at]; at moved past it. Nothing where Python raises.
std::optional<std::string> decode_escape(std::string_view text, std::size_t& at) {
  static constexpr std::string_view kNames = "\\'\"bftnrva";
  static constexpr std::string_view kMeanings = "\\'\"\b\f\t\n\r\v\a";
  if (at == text.size()) return std::nullopt;
  const char c = text[at];
  if (const auto named = kNames.find(c); named != kNames.npos) return ++at, std::string(1, kMeanings[named]);
  if (c == '\n') return ++at, "";
  if (c == 'N') return std::nullopt;
  std::string decoded;
  if (const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0; digits != 0) {
    const auto value = read_digits(text, ++at, 16, digits, digits);
    if (!value || *value > 0x10FFFF) return std::nullopt;
    append_code_point(decoded, *value);
  } else if (const auto octal = read_digits(text, at, 8, 1, 3)) {
    append_code_point(decoded, *octal);
  } else {
    decoded = "\\";  // no escape: both stay
  }
  return decoded;
}

}  // namespace

std::string float_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 32> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));  // [-]d[.ddd]e±dd
  const std::size_t e = text.find('e');
  const int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  if (exponent < -4 || exponent >= 16) return std::string(text);

  const std::string sign = text[0] == '-' ? "-" : "";
  std::string digits;
  std::ranges::copy_if(text.substr(0, e), std::back_inserter(digits), [](char c) { return c >= '0' && c <= '9'; });
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string float_general(double value) {
  if (!std::isfinite(value)) return float_repr(value);
  std::array<char, 32> buffer;
  const int size = std::snprintf(buffer.data(), buffer.size(), "%g", value);
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

std::string string_repr(std::string_view text) {
  const char quote = quote_for(text);
  std::string repr(1, quote);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    if (c == static_cast<char32_t>(quote) || c == '\\') repr += '\\';
    if (printable(c)) {
      repr += text.substr(begin, at - begin);
    } else {
      repr += escaped(c);
    }
  }
  return repr + quote;
}

std::string bytes_repr(std::string_view data) {
  const char quote = quote_for(data);
  std::string repr = std::string("b") + quote;
  for (const char c : data) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') repr += '\\';
    if (byte < 0x80 && printable(byte)) {
      repr += c;
    } else {
      repr += escaped(byte);
    }
  }
  return repr + quote;
}

std::optional<std::string> decode_unicode_escape(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at++];
    if (c != '\\') {
      append_code_point(decoded, static_cast<unsigned char>(c));
    } else if (const auto escape = decode_escape(text, at)) {
      decoded += *escape;
    } else {
      return std::nullopt;
    }
  }
  return decoded;
}

}  // namespace vizd::python
