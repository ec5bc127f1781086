#include "base/lines.h"

#include "support/catch.h"

namespace vizd::lines_test {
namespace {

using Lines = std::vector<std::string_view>;

TEST_CASE("lines end where Python's splitlines ends them") {
  CHECK(split_lines("").empty());
  CHECK(split_lines("a") == Lines{"a"});
  CHECK(split_lines("a\n") == Lines{"a"});
  CHECK(split_lines("\n\n") == Lines{"", ""});
  CHECK(split_lines("a\r\nb\rc\n\rd") == Lines{"a", "b", "c", "", "d"});
  CHECK(split_lines("a\vb\fc\x1c"
                    "d\x1d"
                    "e\x1e"
                    "f\x1fg") == Lines{"a", "b", "c", "d", "e", "f\x1fg"});
  CHECK(split_lines("a\u0085b\u2028c\u2029d\u00a0\u2030") == Lines{"a", "b", "c", "d\u00a0\u2030"});
  CHECK(split_lines("cut \xe2\x80") == Lines{"cut \xe2\x80"});
}

}  // namespace
}  // namespace vizd::lines_test
