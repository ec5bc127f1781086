#include "base/clean_text.h"

#include "base/utf8.h"

namespace vizd {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Whether the code point stood in so many bytes as UTF-8 that others take: what is overlong, a surrogate, beyond
// Unicode or a byte by itself they may each take for something else, an escape among it.
bool is_sound(char32_t c, std::size_t length) {
  const std::size_t right = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  return length == right && (c < 0xD800 || c > 0xDFFF) && c <= 0x10FFFF;
}

// C0, DEL and C1 controls, and what turns the direction of text.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

std::string clean(std::string_view text, bool colour, bool keep_breaks) {
  std::string result;
  bool coloured = false;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t length = colour_length(text.substr(at)); length > 0) {
      if (colour) result += text.substr(at, length);
      coloured = colour;
      at += length;
      continue;
    }
    const std::size_t begin = at;
    char32_t c = next_code_point(text, at);
    if (!is_sound(c, at - begin)) c = kReplacement;
    if (c == U'\n' && keep_breaks) {
      result += '\n';
    } else if (c == U'\n' || c == U'\t') {
      result += ' ';
    } else if (!is_control(c)) {
      append_code_point(result, c);
    }
  }
  if (coloured) result += "\x1B[0m";
  return result;
}

}  // namespace

std::string one_line(std::string_view text, bool colour) { return clean(text, colour, false); }
std::string many_lines(std::string_view text, bool colour) { return clean(text, colour, true); }

std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1B[")) return 0;
  const auto end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace vizd
