// Times as people write them on a command line.
#include "base/time_text.h"

#include "support/catch.h"

namespace vizd::time_text_test {

TEST_CASE("a time has a unit, or counts what a bare number counts") {
  CHECK(parse_time_ns("5ms") == 5'000'000);
  CHECK(parse_time_ns("1.5s") == 1'500'000'000);
  CHECK(parse_time_ns("200us") == 200'000);
  CHECK(parse_time_ns("10ns") == 10);
  CHECK(parse_time_ns("2min") == 120'000'000'000);
  CHECK(parse_time_ns("1h") == 3'600'000'000'000);
  CHECK(parse_time_ns("1234") == 1234);
  CHECK(parse_time_ns("2", 1'000'000'000) == 2'000'000'000);
  CHECK(parse_time_ns("-3us") == -3'000);
}

TEST_CASE("a time is exact, to the nanosecond and to 64 bits") {
  CHECK(parse_time_ns("1700000000.123456789s") == 1'700'000'000'123'456'789);
  CHECK(parse_time_ns("0.1000us") == 100);
  CHECK_FALSE(parse_time_ns("0.0001us"));
  CHECK_FALSE(parse_time_ns("1.5ns"));
  CHECK(parse_time_ns("9223372036854775807") == INT64_MAX);
  CHECK_FALSE(parse_time_ns("9223372036854775808"));
  CHECK_FALSE(parse_time_ns("9223372037s"));
}

TEST_CASE("what is not a time is none") {
  for (const char* text : {"", "-", "ms", ".5s", "5.s", "5 ms", "5mss", "1e3", "0x10", "5m", "1.2.3s"}) {
    INFO(text);
    CHECK_FALSE(parse_time_ns(text));
  }
}

}  // namespace vizd::time_text_test
