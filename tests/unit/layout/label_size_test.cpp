// Label boxes: columns, escapes, wide characters, the clip rule, broken UTF-8.
#include "layout/label_size.h"

#include <string>

#include "base/text_columns.h"
#include "support/catch.h"

namespace vizd::label_size_test {
namespace {

float width_of(std::uint32_t columns) { return static_cast<float>(columns) * kLabelColumnPx + 2 * kLabelPadXPx; }
float height_of(std::uint32_t lines) { return static_cast<float>(lines) * kLabelLinePx + 2 * kLabelPadYPx; }

void check_size(const std::string& label, std::uint32_t columns, std::uint32_t lines) {
  CAPTURE(label);
  const LabelSize size = label_size(label);
  CHECK(size.width_px == Approx(width_of(columns)));
  CHECK(size.height_px == Approx(height_of(lines)));
}

std::string repeat(const std::string& text, std::uint32_t times) {
  std::string out;
  for (std::uint32_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("a label's box is its widest line and its number of lines") {
  check_size("", 0, 1);
  check_size("ADD", 3, 1);
  check_size("LOAD\ndtypes.float\n(4,)", 12, 3);
  check_size("ADD\n", 3, 2);
  check_size("\n\n", 0, 3);
}

TEST_CASE("colour sequences take no room") {
  check_size("r\x1b[90m_\x1b[0m32", 4, 1);
  check_size("\x1b[K\x1b[1;31mred\x1b[0m", 3, 1);
  check_size("\x1b[31", 4, 1);  // cut off before its letter: drawn as it stands
  check_size("\x1b", 1, 1);
}

TEST_CASE("wide characters take two columns, combining ones none") {
  check_size("\u6f22\u5b57", 4, 1);
  check_size("e\u0301", 1, 1);
  check_size("\U0001F600", 2, 1);
  check_size("\u00e9\u2026", 2, 1);
  CHECK(columns_of(U'a') == 1);
  CHECK(columns_of(U'\u3042') == 2);
  CHECK(columns_of(U'\u200b') == 0);
}

TEST_CASE("bytes that are not UTF-8 take one column each") {
  check_size("\xff\xfe", 2, 1);
  check_size("\xe6\xbc", 2, 1);  // a sequence cut short
  check_size("\xc3(", 2, 1);     // no continuation byte
  check_size("\xf8\x88\x80\x80", 4, 1);
}

TEST_CASE("long lines and long labels are clipped, with an ellipsis") {
  check_size(repeat("x", kLabelMaxColumns), kLabelMaxColumns, 1);
  check_size(repeat("x", kLabelMaxColumns + 1), kLabelMaxColumns, 1);
  check_size(repeat("x", 100'000), kLabelMaxColumns, 1);
  // A wide character that would end past the last column but one gives way to the ellipsis.
  check_size(repeat("\u6f22", kLabelMaxColumns), kLabelMaxColumns - 1, 1);
  check_size(repeat("x\n", kLabelMaxLines - 1) + "last", 4, kLabelMaxLines);
  check_size(repeat("x\n", kLabelMaxLines) + "not shown", 1, kLabelMaxLines);
  // The line that the ellipsis takes the place of does not count.
  check_size(repeat("x\n", kLabelMaxLines - 1) + "wide line\nmore", 1, kLabelMaxLines);
}

TEST_CASE("the label of a rewrite that raised has room for a traceback") {
  const std::string traceback = "REWRITE_ERROR\n" + repeat("  File somewhere\n", 30) + repeat("x", 80);
  check_size(traceback, 80, 32);
  check_size("REWRITE_ERROR\n" + repeat("x", 81), kErrorMaxColumns, 2);
  check_size("REWRITE_ERROR\n" + repeat("x\n", 500), 13, kErrorMaxLines);
  check_size("REWRITE_ERRORS\n" + repeat("x\n", 500), 14, kLabelMaxLines);
}

}  // namespace vizd::label_size_test
