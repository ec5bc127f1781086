// Events of a profile as a table and as records.
#include "cli/captures/profile_export.h"

#include <nlohmann/json.hpp>

#include "support/catch.h"

namespace vizd::profile_export_test {
namespace {

using nlohmann::json;

TEST_CASE("a table has a column for each argument, and tells an instant from a span of no duration", "[export]") {
  Capture capture;
  StringTable& s = capture.strings;
  Track& track = capture.profile.tracks.emplace_back();
  track.name = s.add("a/b");
  track.events = {{.start_ns = 1, .dur_ns = 2, .name = s.add("one")},
                  {.start_ns = 3, .name = s.add("two"), .kind = EventKind::kInstant}};
  find_or_add_argument(track.arguments, s.add("bytes"), s.add("B"), ArgumentType::kInteger)
      .push_back(1, std::int64_t{17});
  std::string table, records;
  write_event_table(capture, {}, '\t', [&](std::string_view part) { table += part; });
  CHECK(table ==
        "track\tkind\tstart_ns\tdur_ns\tname\tcategory\tcontext\tbytes\n"
        "a\\/b\tspan\t1\t2\tone\t\t\t\n"
        "a\\/b\tinstant\t3\t0\ttwo\t\t\t17\n");
  write_event_json(capture, {}, [&](std::string_view part) { records += part; });
  CHECK(json::parse(records.substr(records.find('\n') + 1))["arguments"] == json{{"bytes", 17}});
}

}  // namespace
}  // namespace vizd::profile_export_test
