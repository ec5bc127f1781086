#include "formats/tinygrad/python/decimal_time.h"

#include <string>

#include "support/catch.h"

namespace vizd::python::decimal_time_test {
namespace {

DecimalTime time(std::string_view text) {
  const auto parsed = parse_decimal_us(text);
  INFO(std::string(text));
  REQUIRE(parsed.has_value());
  return *parsed;
}

TEST_CASE("a decimal of microseconds is read exactly") {
  CHECK(time("0") == DecimalTime{0, 0});
  CHECK(time("1018360290.194") == DecimalTime{1'018'360'290'194, 0});
  CHECK(time("12") == DecimalTime{12'000, 0});
  CHECK(time("9.89625") == DecimalTime{9'896, 250'000'000});
  CHECK(time("0.0001") == DecimalTime{0, 100'000'000});
  CHECK(time(".5") == DecimalTime{500, 0});
  CHECK(time("5.") == DecimalTime{5'000, 0});
  CHECK(time("0.0000000000019") == DecimalTime{0, 1});  // digits beyond the billionths of a nanosecond are cut off
}

TEST_CASE("exponents move the point") {
  CHECK(time("1E+3") == DecimalTime{1'000'000, 0});
  CHECK(time("1.5e3") == DecimalTime{1'500'000, 0});
  CHECK(time("25E-2") == DecimalTime{250, 0});
  CHECK(time("25E-5") == DecimalTime{0, 250'000'000});
  CHECK(time("0E-7") == DecimalTime{0, 0});
  CHECK(time("1E-900") == DecimalTime{0, 0});
}

TEST_CASE("negative times are rounded down, with what is left counted up") {
  CHECK(time("-3") == DecimalTime{-3'000, 0});
  CHECK(time("-9.89625") == DecimalTime{-9'897, 750'000'000});
  CHECK(time("-0") == DecimalTime{0, 0});
  CHECK(time("-9.89625") + time("9.89625") == DecimalTime{0, 0});
}

TEST_CASE("sums and differences carry") {
  CHECK(time("0.00075") + time("0.00025") == DecimalTime{1, 0});
  CHECK(time("5") - time("0.00025") == DecimalTime{4'999, 750'000'000});
  CHECK(time("0.00025") - time("0.00075") == DecimalTime{-1, 500'000'000});
  CHECK(time("1") < time("1.00001"));
  CHECK(time("-1") < time("-0.99999"));
}

TEST_CASE("what is no time, or none that fits, is refused") {
  for (const char* text : {"", "-", ".", "NaN", "Infinity", "-Infinity", "1x", "1.2.3", "E5", "1E", "1E+",
                           "1E99999999999", "1 ", "+1", "1152921504606846976", "1E+16", "1E+1000", "--1"}) {
    INFO(text);
    CHECK_FALSE(parse_decimal_us(text).has_value());
  }
  CHECK_FALSE(parse_decimal_us(std::string(65, '1')).has_value());
  CHECK(parse_decimal_us("1152921504606846.975").has_value());  // the last below 2^60 nanoseconds
}

}  // namespace
}  // namespace vizd::python::decimal_time_test
