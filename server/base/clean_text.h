// Text of captures as others may print it: its colours where they are wanted, and nothing else that a terminal would
// obey. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vizd {

// The text on one line: line breaks and tabs become spaces, colours of letters (ESC [ … m) stay where they are wanted,
// and no other control character does: nor the sequences that hide text or paint behind it. What is not UTF-8 becomes
// U+FFFD.
std::string one_line(std::string_view text, bool colour);
// On one line without colours; where that is longer than so many bytes it is cut between characters, and ends in "…".
std::string short_line(std::string_view text, std::size_t most_bytes);
// The same as one_line with its line breaks.
std::string many_lines(std::string_view text, bool colour);
// The same with its line breaks and tabs.
std::string many_columns(std::string_view text, bool colour);

// A text as a field of a table for other programs: a spreadsheet takes what begins with = + - or @ for a formula, and
// calculates it, so there such a text begins with an apostrophe. A number stays as it is.
std::string spreadsheet_text(std::string text);

// On one line, without colours, as HTML and XML take it between tags and in quoted attributes.
std::string markup_text(std::string_view text);

// The length of the colour sequence that text begins with, or 0.
std::size_t colour_length(std::string_view text);

}  // namespace vizd
