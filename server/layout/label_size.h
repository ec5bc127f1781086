// The size of a label's box from numbers alone, so that the server lays out without a browser. The page draws the
// label by the same numbers (it asks its monospace font for one advance and scales the font until that is
// kLabelColumnPx), and clips by the same rule, so that text always fills its box. Pure; any thread.
//
// The rule. ANSI colour sequences (ESC [ … letter) take no room. A character is one column; a wide one (Chinese,
// Japanese, Korean, emoji) two, a combining one none. A line of more than kLabelMaxColumns is drawn as its longest
// beginning of at most kLabelMaxColumns - 1 columns, then "…"; of a label of more than kLabelMaxLines the first
// kLabelMaxLines - 1 lines are drawn, then a line "…". The first line, the op's name, is bold, at the same advance. The
// label of a rewrite that raised, whose first line is kErrorLabel, has a traceback to show: its limits are others.
#pragma once

#include <cstdint>
#include <string_view>

namespace vizd {

inline constexpr float kLabelFontPx = 12;
inline constexpr float kLabelColumnPx = 6.7F;  // one column's advance
inline constexpr float kLabelLinePx = 14;
inline constexpr float kLabelPadXPx = 10;  // left and right each; the left one holds the 4 px bar of the op's colour
inline constexpr float kLabelPadYPx = 6;   // above and below each
inline constexpr std::uint32_t kLabelMaxColumns = 64;
inline constexpr std::uint32_t kLabelMaxLines = 10;
inline constexpr std::string_view kErrorLabel = "REWRITE_ERROR";
inline constexpr std::uint32_t kErrorMaxColumns = 80;  // at which tinygrad breaks its lines
inline constexpr std::uint32_t kErrorMaxLines = 100;

struct LabelSize {
  float width_px = 0;
  float height_px = 0;
};

// label is UTF-8; a byte that is not counts as one column. An empty label has the size of an empty line.
LabelSize label_size(std::string_view label);

}  // namespace vizd
