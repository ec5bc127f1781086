#include "base/percent_text.h"

#include "support/catch.h"

namespace vizd::percent_text_test {

TEST_CASE("bytes that may not stand in a URL are told by their numbers") {
  CHECK(percent_encoded("aZ09", "") == "aZ09");
  CHECK(percent_encoded("slice:17/b c", ":") == "slice:17%2Fb%20c");
  CHECK(percent_encoded("µ&", "/") == "%C2%B5%26");
  CHECK(percent_encoded(std::string_view("\0\xff", 2), "") == "%00%FF");
}

}  // namespace vizd::percent_text_test
