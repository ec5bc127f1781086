// Layouts that a budget cut short, finished when asked.
#include "support/served_capture.h"

namespace vizd::better_layout_test {

TEST_CASE("better layouts are offered as a kind of their own, and only those that came out otherwise") {
  ServedCapture served;
  const std::string url = "/api/v1/rewrites/" + served.largest_pass();
  bool all_optimal = true;
  for (const auto& [name, data] : served.events(url)) {
    if (name != "layout") continue;
    CHECK(data["kind"] == "epoch");
    CHECK(data["coarse"] == false);
    all_optimal = all_optimal && data["optimal"].get<bool>();
  }
  const auto events = served.events(url + "?better=1");
  REQUIRE_FALSE(events.empty());
  CHECK(events.back().first == "done");
  for (const auto& [name, data] : events) {
    if (name != "layout") continue;
    CHECK_FALSE(all_optimal);
    CHECK(data["kind"] == "better");
  }
}

}  // namespace vizd::better_layout_test
