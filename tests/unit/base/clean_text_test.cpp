#include "base/clean_text.h"

#include "support/catch.h"

namespace vizd::clean_text_test {
namespace {

TEST_CASE("a line for a terminal has no control characters, and colours only where they are wanted") {
  CHECK(one_line("a\tb\nc\x1B[31md\x1B[2Je", false) == "a b cd[2Je");
  CHECK(one_line("\x1B[31md", true) == "\x1B[31md\x1B[0m");
  CHECK(many_lines("a\nb\r", false) == "a\nb");
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
