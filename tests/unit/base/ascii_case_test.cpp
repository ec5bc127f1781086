#include "base/ascii_case.h"

#include "support/catch.h"

namespace vizd::ascii_case_test {

TEST_CASE("case of ASCII letters does not count, and that of other bytes does", "[ascii_case]") {
  CHECK(ascii_lower("Sec-Fetch-SITE [Z] @`{") == "sec-fetch-site [z] @`{");
  CHECK(ascii_lower("\xC3\x84") == "\xC3\x84");  // Ä
  CHECK(equal_in_any_case("Index", "INDEX"));
  CHECK_FALSE(equal_in_any_case("index", "index "));
}

TEST_CASE("a part is found in any case, and an empty one everywhere", "[ascii_case]") {
  CHECK(contains_in_any_case("symbolic.py:12", "SYMBOLIC"));
  CHECK_FALSE(contains_in_any_case("symbolic.py:12", "symbolic.py:123"));
  CHECK(contains_in_any_case("x", ""));
  CHECK(contains_in_any_case("", ""));
  CHECK_FALSE(contains_in_any_case("", "x"));
}

}  // namespace vizd::ascii_case_test
