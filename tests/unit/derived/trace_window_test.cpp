#include "derived/trace_window.h"

#include "derived/trace_capture.h"
#include "support/catch.h"

namespace vizd::trace_window_test {
namespace {

TEST_CASE("traces: a long run comes in parts, and each instruction is in one") {
  const StretchCounts counts{{-3, 2}, {0, 4}, {1, 3}, {7, 20}, {8, 1}};
  const auto windows = trace_windows(counts, 8);
  REQUIRE(windows.size() == 4);
  for (const auto& [stretch, count] : counts) {
    std::size_t holding = 0;
    for (const TraceWindow& window : windows) holding += window.holds(stretch << kStretchBits);
    CHECK(holding == 1);
  }
  CHECK(windows[0].holds(0));
  CHECK_FALSE(windows[1].holds(0));
  CHECK(trace_windows(counts, 100).size() == 1);
  CHECK(trace_windows({}, 8).size() == 1);
}

TEST_CASE("traces: what names a run of a capture, and what does not") {
  const auto id = parse_trace_id("c12~3.4");
  REQUIRE(id);
  CHECK(id->capture == "c12");
  CHECK(id->run == 3);
  CHECK(id->part == 4);
  REQUIRE(parse_trace_id("c0~7"));
  CHECK(parse_trace_id("c0~7")->part == 0);
  CHECK_FALSE(parse_trace_id("c0~7")->is_sampling);
  REQUIRE(parse_trace_id("c0~s7.1"));
  CHECK(parse_trace_id("c0~s7.1")->is_sampling);
  CHECK(parse_trace_id("c0~s7.1")->run == 7);
  for (const char* const other :
       {"c0~s", "c0~ss1", "", "c0", "c0~", "c0~x", "c0~1.", "c0~1.x", "c0~-1", "c0~99999999999"})
    CHECK_FALSE(parse_trace_id(other));
}

}  // namespace
}  // namespace vizd::trace_window_test
