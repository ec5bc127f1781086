#include "layout/label_size.h"

#include <algorithm>
#include <cstddef>

namespace vizd {
namespace {

struct CharacterRange {
  char32_t first;
  char32_t last;
};

// Unicode's East Asian wide and fullwidth blocks, whole blocks where their few narrow members do not matter.
constexpr CharacterRange kWide[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97C},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

constexpr CharacterRange kCombining[] = {
    {0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
};

template <std::size_t N>
bool in_ranges(const CharacterRange (&ranges)[N], char32_t character) {
  return std::any_of(ranges, ranges + N,
                     [&](const CharacterRange& range) { return range.first <= character && character <= range.last; });
}

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

std::uint32_t columns_of(char32_t character) {
  if (character < 0x300) return 1;
  if (in_ranges(kCombining, character)) return 0;
  return in_ranges(kWide, character) ? 2 : 1;
}

LabelSize label_size(std::string_view label) {
  std::uint32_t lines = 1;
  std::uint32_t columns = 0;
  std::uint32_t widest = 0;
  // As drawn when clipped: the columns before the first character that reaches past kLabelMaxColumns - 1, and "…".
  std::uint32_t clipped = 0;
  const auto end_line = [&] { widest = std::max(widest, columns > kLabelMaxColumns ? clipped + 1 : columns); };
  while (!label.empty() && lines <= kLabelMaxLines) {
    if (const std::size_t skip = escape_length(label); skip != 0) {
      label.remove_prefix(skip);
      continue;
    }
    const char32_t character = take_character(label);
    if (character != '\n') {
      columns = std::min(columns + columns_of(character), kLabelMaxColumns + 2);
      if (columns < kLabelMaxColumns) clipped = columns;
      continue;
    }
    // The last line that may be drawn is "…" where another follows it.
    if (lines < kLabelMaxLines) end_line();
    columns = lines == kLabelMaxLines ? 1 : 0;
    clipped = 0;
    ++lines;
  }
  end_line();
  const auto shown_lines = static_cast<float>(std::min(lines, kLabelMaxLines));
  return {static_cast<float>(widest) * kLabelColumnPx + 2 * kLabelPadXPx,
          shown_lines * kLabelLinePx + 2 * kLabelPadYPx};
}

}  // namespace vizd
