#include "base/utf8.h"

#include <vector>

#include "support/catch.h"

namespace vizd::utf8_test {
namespace {

std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> result;
  for (std::size_t at = 0; at < text.size();) result.push_back(next_code_point(text, at));
  return result;
}

TEST_CASE("code points come out as they went in") {
  std::string text;
  const std::vector<char32_t> points = {0, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd800, 0xffff, 0x10000, 0x10ffff};
  for (const char32_t c : points) append_code_point(text, c);
  CHECK(text.size() == 3 + 2 * 2 + 3 * 3 + 2 * 4);
  CHECK(code_points(text) == points);
}

TEST_CASE("bytes that are no UTF-8 are taken one by one") {
  CHECK(code_points("\xff\x80z") == std::vector<char32_t>{0xff, 0x80, 'z'});
  CHECK(code_points("\xe2\x80") == std::vector<char32_t>{0xe2, 0x80});
  CHECK(code_points("\xc3z") == std::vector<char32_t>{0xc3, 'z'});
}

TEST_CASE("what is UTF-8, surrogates included") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("plain ascii, longer than eight bytes"));
  CHECK(is_utf8("eight by\xc3\xa4te \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf"));
  CHECK(is_utf8("\xed\xb2\x80"));
  for (const char* bad : {"12345678\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
                          "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff", "a\xe2\x82", "\xe2\x82z"}) {
    CHECK_FALSE(is_utf8(bad));
  }
}

}  // namespace
}  // namespace vizd::utf8_test
