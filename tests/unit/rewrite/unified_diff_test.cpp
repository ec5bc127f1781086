// Every expected diff here is what Python 3.11's difflib answered for the same two texts.
#include "rewrite/unified_diff.h"

#include <fmt/core.h>

#include "support/catch.h"

namespace vizd::unified_diff_test {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("equal texts have no difference, whatever their line ends are") {
  CHECK(unified_diff("", "").empty());
  CHECK(unified_diff("a\nb", "a\nb\n").empty());
  CHECK(unified_diff("a\nb\vc", "a\r\nb\u2028c\x1c").empty());
}

TEST_CASE("a text against nothing") {
  CHECK(unified_diff("", "a\nb") == Lines{"--- \n", "+++ \n", "@@ -0,0 +1,2 @@\n", "+a", "+b"});
  CHECK(unified_diff("a", "") == Lines{"--- \n", "+++ \n", "@@ -1 +0,0 @@\n", "-a"});
}

TEST_CASE("the longest block wins, not the common beginning") {
  CHECK(unified_diff("a\nb", "a\nc\na\nb") == Lines{"--- \n", "+++ \n", "@@ -1,2 +1,4 @@\n", "+a", "+c", " a", " b"});
}

TEST_CASE("changes further apart than six lines make two hunks") {
  std::string before, after;
  for (int i = 0; i < 20; ++i) {
    before += fmt::format("{}\n", i);
    after += i == 2 || i == 12 ? "new\n" : fmt::format("{}\n", i);
  }
  CHECK(unified_diff(before, after) == Lines{"--- \n", "+++ \n", "@@ -1,6 +1,6 @@\n", " 0", " 1", "-2", "+new", " 3",
                                             " 4", " 5", "@@ -10,7 +10,7 @@\n", " 9", " 10", " 11", "-12", "+new",
                                             " 13", " 14", " 15"});
}

TEST_CASE("in a long text a line that makes up over one percent starts no block") {
  // 200 lines of which 100 are "x": without the rule the x lines alone would be matched across the move.
  std::string before, after;
  for (int i = 0; i < 100; ++i) before += fmt::format("x\n{}\n", i);
  for (int i = 0; i < 100; ++i) after += fmt::format("{}\nx\n", i);
  CHECK(unified_diff(before, after) == Lines{"--- \n", "+++ \n", "@@ -1,4 +1,3 @@\n", "-x", " 0", " x", " 1",
                                             "@@ -198,3 +197,4 @@\n", " 98", " x", " 99", "+x"});
  // Only popular lines are equal: they are found at the beginning of a window all the same.
  std::string xs, ys;
  for (int i = 0; i < 200; ++i) xs += "x\n", ys += i < 4 ? "x\n" : "y\n";
  const Lines diff = unified_diff(ys, xs);
  CHECK(diff.size() == 3 + 3 + 196 + 196);
  CHECK(diff[2] == "@@ -2,199 +2,199 @@\n");
}

TEST_CASE("many lines that are equal in many ways stay affordable") {
  std::string before, after;
  unsigned seed = 7;
  for (int i = 0; i < 20000; ++i) {
    seed = seed * 1103515245u + 12345u;
    before += fmt::format("{}\n", (seed >> 8) % 150);
    seed = seed * 1103515245u + 12345u;
    after += fmt::format("{}\n", (seed >> 8) % 150);
  }
  const Lines diff = unified_diff(before, after);
  CHECK(diff.size() == 39676);  // as many as Python's, for 2.7 million pairs of equal lines
}

}  // namespace
}  // namespace vizd::unified_diff_test
