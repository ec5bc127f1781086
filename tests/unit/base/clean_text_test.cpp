#include "base/clean_text.h"

#include "support/catch.h"

namespace vizd::clean_text_test {
namespace {

TEST_CASE("a line for a terminal has no control characters, and colours only where they are wanted") {
  CHECK(one_line("a\tb\nc\x1B[31md\x1B[2Je", false) == "a b cd[2Je");
  CHECK(one_line("\x1B[31md", true) == "\x1B[31md\x1B[0m");
  CHECK(many_lines("a\nb\r", false) == "a\nb");
}

TEST_CASE("markup holds no character that ends a tag or a quoted text, and none that XML may not hold") {
  CHECK(markup_text("<a b=\"c\">&\n</a>") == "&lt;a b=&quot;c&quot;&gt;&amp; &lt;/a&gt;");
  CHECK(markup_text(std::string_view("\x00\x01\x08\x0B\x1F\x7F", 6)).empty());
  CHECK(markup_text("\xEF\xBF\xBE|\xEF\xBF\xBF|\xED\xA0\x80") == "\xEF\xBF\xBD|\xEF\xBF\xBD|\xEF\xBF\xBD");
}

TEST_CASE("what some programs begin a line behind is a blank in a line") {
  CHECK(one_line("a\xE2\x80\xA8"
                 "b\xE2\x80\xA9"
                 "c\xC2\x85"
                 "d\x0B\x0C\x1C"
                 "e\rf",
                 false) == "a b cdef");
}

TEST_CASE("colours are those of letters: none hides text or paints behind it") {
  for (const std::string_view shown : {"\x1B[1;31mx", "\x1B[38;5;200mx", "\x1B[38;2;1;2;3mx", "\x1B[97;4mx"})
    CHECK(one_line(shown, true) == std::string(shown) + "\x1B[0m");
  for (const std::string_view hidden : {"\x1B[8mx", "\x1B[31;8mx", "\x1B[41mx", "\x1B[48;5;1mx", "\x1B[7mx", "\x1B[5mx",
                                        "\x1B[38;8mx", "\x1B[38;5;8;8mx", "\x1B[99999999999mx", "\x1B[107mx"})
    CHECK(one_line(hidden, true) == "x");
}

TEST_CASE("no text of a table is a formula, and numbers stay as they are") {
  CHECK(spreadsheet_text("=1+2") == "'=1+2");
  CHECK(spreadsheet_text("@sum") == "'@sum");
  CHECK(spreadsheet_text("-1e3") == "-1e3");
  CHECK(spreadsheet_text("-1e3+x") == "'-1e3+x");
  CHECK(spreadsheet_text("a=b") == "a=b");
  CHECK(many_columns("a\tb\r\nc", false) == "a\tb\nc");
}

TEST_CASE("what is no UTF-8 reaches a terminal as U+FFFD: it may take the bytes for an escape") {
  const std::string_view replacement = "\xEF\xBF\xBD";
  for (const std::string_view text :
       {"\xFF", "\x9B", "\xC0\x9B", "\xE0\x80\x9B", "\xF0\x80\x80\x9B", "\xED\xA0\x80", "\xF7\xBF\xBF\xBF"}) {
    const std::string shown = one_line(text, true);
    INFO(text.size());
    CHECK(shown.find(replacement) != std::string::npos);
    CHECK(shown.find_first_not_of(replacement) == std::string::npos);
  }
  CHECK(one_line("\xC3\xA9\xF0\x9F\x98\x80", true) == "\xC3\xA9\xF0\x9F\x98\x80");
}

}  // namespace
}  // namespace vizd::clean_text_test
