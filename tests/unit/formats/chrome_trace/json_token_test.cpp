// Numbers and texts of traces, from their text.
#include "formats/chrome_trace/json_token.h"

#include <string>

#include "support/catch.h"

namespace vizd::chrome_trace::json_token_test {
namespace {

TEST_CASE("microseconds become nanoseconds to the last digit", "[chrome]") {
  CHECK(nanoseconds_of("1682725898236567") == 1682725898236567000);
  CHECK(nanoseconds_of("1682725898236567.123") == 1682725898236567123);
  CHECK(nanoseconds_of("\"5904123.430849\"") == 5904123431);
  CHECK(nanoseconds_of("68.0") == 68000);
  CHECK(nanoseconds_of("-0.5") == -500);
  CHECK(nanoseconds_of("1.5e3") == 1500000);
  CHECK(nanoseconds_of("12e-4") == 1);
  CHECK(nanoseconds_of("\" 7 \"") == 7000);
  CHECK(nanoseconds_of("0") == 0);
}

TEST_CASE("halves of a nanosecond go to the even one", "[chrome]") {
  CHECK(nanoseconds_of("0.0005") == 0);
  CHECK(nanoseconds_of("0.0015") == 2);
  CHECK(nanoseconds_of("0.0025") == 2);
  CHECK(nanoseconds_of("0.00250000001") == 3);
  CHECK(nanoseconds_of("-0.0015") == -2);
}

TEST_CASE("what is no finite number is no time", "[chrome]") {
  for (const char* token : {"", "null", "true", "\"abc\"", "NaN", "Infinity", "-", ".", "1.2.3", "1e99", "{}", "[1]",
                            "99999999999999999999999999999999999999999999999999"})
    CHECK_FALSE(nanoseconds_of(token));
}

TEST_CASE("texts come without their escapes, those that JSON does not have as they stand", "[chrome]") {
  std::string scratch;
  CHECK(text_of(R"("a\n\"b\"\\A")", scratch) == "a\n\"b\"\\A");
  CHECK(text_of(R"("\ud83d\ude00")", scratch) == "\xF0\x9F\x98\x80");
  CHECK(text_of(R"("\x41 \u12")", scratch) == R"(\x41 \u12)");
  CHECK(text_of("17", scratch) == "17");
}

}  // namespace
}  // namespace vizd::chrome_trace::json_token_test
