#include "cli/terminal.h"

#include <unistd.h>

#include <cstdlib>

#include "base/utf8.h"
#include "layout/label_size.h"

namespace vizd {
namespace {

constexpr char kEscape = '\x1B';

// The length of the colour sequence at the beginning of text, or 0.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1B[")) return 0;
  const auto end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
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
    const char32_t c = next_code_point(text, at);
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

bool wants_colour(std::FILE* out) {
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == 0) && ::isatty(::fileno(out)) == 1;
}

std::string one_line(std::string_view text, bool colour) { return clean(text, colour, false); }
std::string many_lines(std::string_view text, bool colour) { return clean(text, colour, true); }

std::size_t columns_on_screen(std::string_view line) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == kEscape) {
      at += std::max<std::size_t>(colour_length(line.substr(at)), 1);
    } else {
      columns += columns_of(next_code_point(line, at));
    }
  }
  return columns;
}

}  // namespace vizd
