#include "formats/tinygrad/python/word_wrap.h"

#include "support/catch.h"

namespace vizd::python::word_wrap_test {
namespace {

TEST_CASE("a text that fits stays, with all its lines") {
  CHECK(word_wrap("") == "");
  CHECK(word_wrap(std::string(80, 'a')) == std::string(80, 'a'));
  CHECK(word_wrap("a\vb\n") == "a\vb\n");
}

TEST_CASE("a long line is cut after as many characters, not bytes") {
  const std::string line(80, 'a');
  CHECK(word_wrap(line + line + "a") == line + "\n" + line + "\na");
  CHECK(word_wrap("\u00e9\u00e9\u00e9", 2) == "\u00e9\u00e9\n\u00e9");
}

TEST_CASE("lines are cut each by itself, and end alike afterwards") {
  CHECK(word_wrap("aaa\r\nbb\vc\n", 2) == "aa\na\nbb\nc");
  CHECK(word_wrap("aaa\n", 2) == "aa\na\n");
}

TEST_CASE("escapes are not counted, but one that is not whole is") {
  CHECK(word_wrap("\x1b[31mab\x1b[0m", 2) == "\x1b[31mab\x1b[0m");
  CHECK(word_wrap("\x1b[31mabc\x1b[0m", 3) == "\x1b[31mabc\x1b[0m");
  // Four characters of the prefix "…[31" are seen until the m comes: the cut falls there.
  CHECK(word_wrap("\x1b[31mabc\x1b[0m", 2) == "\x1b[\n31\nma\nbc\x1b[0m");
  CHECK(word_wrap("ab\x1b[Kc", 4) == "ab\x1b[Kc");
  CHECK(word_wrap("\x1b[\nmabcdef", 30) == "\x1b[\nmabcdef");
}

TEST_CASE("a very long line ends in reasonable time") {
  std::string hostile;
  for (int i = 0; i < 50000; ++i) hostile += "\x1b[";
  CHECK(word_wrap(hostile).size() > hostile.size());
  CHECK(word_wrap(std::string(200000, 'a')).size() == 200000 + 1000);
}

}  // namespace
}  // namespace vizd::python::word_wrap_test
