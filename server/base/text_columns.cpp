#include "base/text_columns.h"

#include <algorithm>

#include "base/clean_text.h"
#include "base/utf8.h"

namespace vizd {
namespace {

constexpr char kEscape = '\x1B';

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

}  // namespace

std::uint32_t columns_of(char32_t character) {
  if (character < 0x300) return 1;
  if (in_ranges(kCombining, character)) return 0;
  return in_ranges(kWide, character) ? 2 : 1;
}

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
