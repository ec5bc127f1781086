// Expected texts are what Python 3.11 answered.
#include "formats/tinygrad/python/text.h"

#include <cmath>
#include <limits>

#include "support/catch.h"

namespace vizd::python::text_test {
namespace {

TEST_CASE("floats print with the fewest digits that read back") {
  CHECK(float_repr(0.0) == "0.0");
  CHECK(float_repr(-0.0) == "-0.0");
  CHECK(float_repr(1.0) == "1.0");
  CHECK(float_repr(0.1) == "0.1");
  CHECK(float_repr(-1.4426950408889634) == "-1.4426950408889634");
  CHECK(float_repr(123456.789) == "123456.789");
  CHECK(float_repr(1e15) == "1000000000000000.0");
  CHECK(float_repr(1e16) == "1e+16");
  CHECK(float_repr(1.5e300) == "1.5e+300");
  CHECK(float_repr(0.0001) == "0.0001");
  CHECK(float_repr(0.00001) == "1e-05");
  CHECK(float_repr(5e-324) == "5e-324");
  CHECK(float_repr(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(float_repr(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(float_repr(-std::nan("")) == "nan");
}

TEST_CASE("the general format keeps six digits") {
  CHECK(float_general(0.0) == "0");
  CHECK(float_general(1.0 / 3) == "0.333333");
  CHECK(float_general(1e6) == "1e+06");
  CHECK(float_general(999999.0) == "999999");
  CHECK(float_general(-1e-5) == "-1e-05");
  CHECK(float_general(-std::nan("")) == "nan");
  CHECK(float_general(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("strings print between the quotes that need fewer escapes") {
  CHECK(string_repr("") == "''");
  CHECK(string_repr("it's") == "\"it's\"");
  CHECK(string_repr("'\"") == "'\\'\"'");
  CHECK(string_repr("a\\b\n\r\t\x1b\x7f") == "'a\\\\b\\n\\r\\t\\x1b\\x7f'");
  CHECK(string_repr("caf\u00e9 \u4e2d \U0001f600") == "'caf\u00e9 \u4e2d \U0001f600'");
  CHECK(string_repr("\u00a0\u00ad\u2028\u200b\ue000\U000e0001") == "'\\xa0\\xad\\u2028\\u200b\\ue000\\U000e0001'");
  CHECK(string_repr("\xed\xa0\x80") == "'\\ud800'");
}

TEST_CASE("bytes print like strings, all but ASCII as numbers") {
  CHECK(bytes_repr("") == "b''");
  CHECK(bytes_repr(std::string_view("\x7f"
                                    "ELF\0\xff\\'",
                                    8)) == "b\"\\x7fELF\\x00\\xff\\\\'\"");
}

TEST_CASE("unicode_escape reads bytes as Latin-1 and replaces escapes") {
  CHECK(decode_unicode_escape("plain") == "plain");
  CHECK(decode_unicode_escape("\u00e9") == "\u00c3\u00a9");
  CHECK(decode_unicode_escape("\\x1b[31m\\n\\t\\\\\\'\\a") == "\x1b[31m\n\t\\'\a");
  CHECK(decode_unicode_escape("\\101\\60x\\7777") == "A0x\u01ff7");
  CHECK(decode_unicode_escape("\\u00e9\\U0001F600") == "\u00e9\U0001f600");
  CHECK(decode_unicode_escape("a\\\nb\\q\\8") == "ab\\q\\8");
}

TEST_CASE("unicode_escape refuses what Python refuses") {
  for (const char* text : {"\\", "a\\\\\\", "\\x", "\\x1", "\\x1g", "\\u12", "\\U00110000", "\\N{DASH}"}) {
    CAPTURE(text);
    CHECK_FALSE(decode_unicode_escape(text));
  }
}

}  // namespace
}  // namespace vizd::python::text_test
