#include "base/clean_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/utf8.h"

namespace vizd {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kReset = "\x1B[0m";

// Whether the code point stood in so many bytes as UTF-8 that others take: what is overlong, a surrogate, beyond
// Unicode or a byte by itself they may each take for something else, an escape among it. U+FFFE and U+FFFF are no
// characters, and XML may not hold them.
bool is_sound(char32_t c, std::size_t length) {
  const std::size_t right = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  return length == right && (c < 0xD800 || c > 0xDFFF) && c != 0xFFFE && c != 0xFFFF && c <= 0x10FFFF;
}

// Some programs begin a line behind each of these, though terminals do not.
bool is_separator(char32_t c) { return c == 0x2028 || c == 0x2029; }

// C0, DEL and C1 controls, and what turns the direction of text.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// The numbers of a colour sequence; what is no number of a byte counts as one that no terminal knows.
std::vector<int> sequence_numbers(std::string_view sequence) {
  std::string_view rest = sequence.substr(2, sequence.size() - 3);
  std::vector<int> numbers;
  for (;;) {
    const auto end = std::min(rest.find(';'), rest.size());
    int number = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + end, number);
    const bool is_byte = end == 0 || (read.ec == std::errc() && number < 256);
    numbers.push_back(is_byte ? number : 256);
    if (end == rest.size()) return numbers;
    rest.remove_prefix(end + 1);
  }
}

// Whether a sequence changes the letters' colour or weight alone. Others hide text (8), or write it in the colour that
// is behind it.
bool is_of_letters(std::string_view sequence) {
  constexpr std::array<int, 9> kWeights{0, 1, 2, 3, 4, 22, 23, 24, 39};
  const std::vector<int> numbers = sequence_numbers(sequence);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const int number = numbers[i];
    if (number == 38 && i + 2 < numbers.size() && numbers[i + 1] == 5) {
      i += 2;
    } else if (number == 38 && i + 4 < numbers.size() && numbers[i + 1] == 2) {
      i += 4;
    } else if (std::ranges::find(kWeights, number) == kWeights.end() && !(number >= 30 && number <= 37) &&
               !(number >= 90 && number <= 97)) {
      return false;
    }
  }
  return true;
}

enum class Keeps { kNeither, kBreaks, kBreaksAndTabs };

bool keeps_blank(char32_t c, Keeps keeps) {
  return (c == U'\n' && keeps != Keeps::kNeither) || (c == U'\t' && keeps == Keeps::kBreaksAndTabs);
}

// Whether it may stand as it is, as nearly all texts may.
bool is_clean(std::string_view text, Keeps keeps) {
  return std::ranges::all_of(
      text, [&](char c) { return (c >= ' ' && c < '\x7F') || keeps_blank(static_cast<unsigned char>(c), keeps); });
}

std::string clean(std::string_view text, bool colour, Keeps keeps) {
  if (is_clean(text, keeps)) return std::string(text);
  std::string result;
  bool coloured = false;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t length = colour_length(text.substr(at)); length > 0) {
      const std::string_view sequence = text.substr(at, length);
      if (colour && is_of_letters(sequence)) {
        result += sequence;
        coloured = sequence != kReset && sequence != "\x1B[m";
      }
      at += length;
      continue;
    }
    const std::size_t begin = at;
    char32_t c = next_code_point(text, at);
    if (!is_sound(c, at - begin)) c = kReplacement;
    if (keeps_blank(c, keeps)) {
      result += static_cast<char>(c);
    } else if (c == U'\n' || c == U'\t' || is_separator(c)) {
      result += ' ';
    } else if (!is_control(c)) {
      append_code_point(result, c);
    }
  }
  if (coloured) result += kReset;
  return result;
}

}  // namespace

std::string one_line(std::string_view text, bool colour) { return clean(text, colour, Keeps::kNeither); }
std::string short_line(std::string_view text, std::size_t most_bytes) {
  const std::string line = one_line(text, false);
  return line.size() <= most_bytes ? line : std::string(cut_text(line, most_bytes)) + "…";
}
std::string many_lines(std::string_view text, bool colour) { return clean(text, colour, Keeps::kBreaks); }
std::string many_columns(std::string_view text, bool colour) { return clean(text, colour, Keeps::kBreaksAndTabs); }

std::string spreadsheet_text(std::string text) {
  if (text.empty() || std::string_view("=+-@").find(text.front()) == std::string_view::npos) return text;
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_number ? text : "'" + text;
}

std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1B[")) return 0;
  const auto end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

std::string markup_text(std::string_view text) {
  std::string escaped;
  for (const char c : one_line(text, false)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace vizd
