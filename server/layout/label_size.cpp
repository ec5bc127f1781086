#include "layout/label_size.h"

#include <algorithm>
#include <cstddef>

#include "base/text_columns.h"

namespace vizd {
namespace {

// Takes one character off the front of text, which is not empty. A byte that starts no whole sequence is U+FFFD.
char32_t take_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  bool whole = length != 0 && length <= text.size();
  char32_t character = length < 2 ? lead : lead & (0x7Fu >> length);
  for (std::size_t i = 1; whole && i < length; ++i) {
    whole = (byte(i) & 0xC0) == 0x80;
    character = (character << 6) | (byte(i) & 0x3F);
  }
  text.remove_prefix(whole ? length : 1);
  return whole ? character : char32_t{0xFFFD};
}

// The length of the control sequence that text starts with, or 0 where it starts with none.
std::size_t escape_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  std::size_t end = 2;
  while (end < text.size() && text[end] >= 0x20 && text[end] < 0x40) ++end;
  return end < text.size() && text[end] >= 0x40 && text[end] <= 0x7E ? end + 1 : 0;
}

}  // namespace

LabelSize label_size(std::string_view label) {
  const bool is_error = label.substr(0, label.find('\n')) == kErrorLabel;
  const std::uint32_t most_columns = is_error ? kErrorMaxColumns : kLabelMaxColumns;
  const std::uint32_t most_lines = is_error ? kErrorMaxLines : kLabelMaxLines;
  std::uint32_t lines = 1;
  std::uint32_t columns = 0;
  std::uint32_t widest = 0;
  // As drawn when clipped: the columns before the first character that reaches past most_columns - 1, and "…".
  std::uint32_t clipped = 0;
  const auto end_line = [&] { widest = std::max(widest, columns > most_columns ? clipped + 1 : columns); };
  while (!label.empty() && lines <= most_lines) {
    if (const std::size_t skip = escape_length(label); skip != 0) {
      label.remove_prefix(skip);
      continue;
    }
    const char32_t character = take_character(label);
    if (character != '\n') {
      columns = std::min(columns + columns_of(character), most_columns + 2);
      if (columns < most_columns) clipped = columns;
      continue;
    }
    // The last line that may be drawn is "…" where another follows it.
    if (lines < most_lines) end_line();
    columns = lines == most_lines ? 1 : 0;
    clipped = 0;
    ++lines;
  }
  end_line();
  const auto shown_lines = static_cast<float>(std::min(lines, most_lines));
  return {static_cast<float>(widest) * kLabelColumnPx + 2 * kLabelPadXPx,
          shown_lines * kLabelLinePx + 2 * kLabelPadYPx};
}

}  // namespace vizd
