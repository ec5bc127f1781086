// What `vizd events` prints of lanes put together by hand, in tinygrad's own words.
#include "reference/tinygrad/event_rows.h"

#include "base/close_match.h"
#include "support/catch.h"

namespace vizd::event_rows_test {
namespace {

ReferenceProfile two_lanes() {
  ReferenceProfile profile{.dur_us = 5000, .lanes = {}, .markers = {{"begin", 100}, {"end", 2000}}};
  ReferenceLane& gpu = profile.lanes.emplace_back();
  gpu.name = "GPU";
  gpu.events = {{"E_4", 3, 100, 50, R"j({"FLOPS": 4000000000, "B/s mem": 2000000000})j"},
                {"r_16", 4, 300, 12000, R"j({"FLOPS": 30000000000000, "tb": [["/a/b.py", 7, "f", "g(x)"]]})j"},
                {"E_4", 3, 2500, 150, R"j({"FLOPS": 8000000000})j"}};
  ReferenceLane& user = profile.lanes.emplace_back();
  user.name = "USER";
  user.events = {
      {"tolist", {}, 90, 100, R"j({"tb": [["<frozen>", 1, "h", "run()"], ["/a/b.py", 9, "main", "f()"]]})j"}};
  ReferenceLane& memory = profile.lanes.emplace_back();
  memory.name = "GPU Memory";
  memory.kind = ReferenceLane::Kind::kMemory;
  return profile;
}

TEST_CASE("events are listed by time, with their markers and what is told of them") {
  const auto rows = event_rows(two_lanes(), {});
  REQUIRE(rows.size() == 7);
  CHECK(row_text(rows[0], false) == "--- SOURCE GPU Memory");
  CHECK(row_text(rows[1], false) ==
        "*** USER    tolist                                         tm    100.00us/     0.09ms (loc b.py:9 main)");
  CHECK(rows[1].stack == "<frozen>:1 h run()");
  CHECK(row_text(rows[2], false) ==
        "*** GPU     E_4                                            tm     50.00us/     0.10ms (4 GFLOPS        2 GB/s "
        "mem    )");
  CHECK(row_text(rows[3], false) == "--- MARKER begin/     0.10ms");
  CHECK(row_text(rows[4], true) ==
        "*** GPU     r_16                                           tm \x1b[33m    12.00ms\x1b[0m/     0.30ms (3"
        "0 TFLOPS     )");
  CHECK(rows[4].stack == "b.py:7 f g(x)");
  CHECK(row_json(rows[5]) == R"j({"device":"MARKER","name":"end","st_ms":2.0,"ref":null,"ext":null})j");
}

TEST_CASE("events between markers are those that begin there, ends included") {
  const ReferenceProfile profile = two_lanes();
  const auto rows = event_rows(profile, {.lane = &profile.lanes[0], .between_us = {{100, 2000}}});
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].name == "E_4");
  CHECK(rows[2].name == "r_16");
  CHECK(rows[3].name == "end");
}

TEST_CASE("names are summed up, those with the most time first, and what is not shown is one row") {
  const ReferenceProfile profile = two_lanes();
  const auto all = top_rows(profile, {}, -1);
  REQUIRE(all.size() == 3);
  CHECK(all[0].name == "GPU     r_16");
  CHECK(all[1].count == 2);
  CHECK(all[1].context == 3u);
  // (4e9 * 50 us + 8e9 * 150 us) / 200 us
  CHECK((*all[1].details)["FLOPS"] == 7'000'000'000);
  const auto one = top_rows(profile, {.lane = &profile.lanes[0]}, 1);
  REQUIRE(one.size() == 2);
  CHECK(one[0].name == "r_16");
  CHECK(row_text(one[1], false) == "Other                                     200.00us       2   1.64%");
  CHECK(row_json(one[1]).ends_with(R"j("ref":null,"fmt":null})j"));
}

TEST_CASE("of a name that is none the closest is told, as Python's difflib finds it") {
  const std::vector<std::string> names{"USER", "TINY", "NULL Graph", "NULL", "CPU Memory"};
  CHECK(close_match("NUL", names) == "NULL");
  CHECK(close_match("NULL Grap", names) == "NULL Graph");
  CHECK(close_match("CPU Memroy", names) == "CPU Memory");
  CHECK(close_match("zzz", names).empty());
  CHECK(likeness_ratio("abcd", "bcde") == 0.75);  // difflib's own example
}

}  // namespace
}  // namespace vizd::event_rows_test
