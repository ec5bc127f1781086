// A profile as a Chrome trace: what lanes, events and their arguments become, exactly.
#include <map>
#include <nlohmann/json.hpp>

#include "formats/chrome_trace/format.h"
#include "support/catch.h"

namespace vizd::chrome_trace_writer_test {
namespace {

using nlohmann::json;

TEST_CASE("a Chrome trace has the lanes' processes, exact times and the events' arguments", "[export]") {
  Capture capture;
  StringTable& s = capture.strings;
  Profile& p = capture.profile;
  p.tracks.resize(6);
  const auto set = [&](std::size_t i, std::string_view name, std::uint32_t parent) {
    p.tracks[i].name = s.add(name);
    p.tracks[i].parent = parent;
  };
  set(0, "rank 0", Track::kNoParent);
  set(1, "GPU 0", 0);
  set(2, "rank 1", Track::kNoParent);
  set(3, "stream 7", 1);
  set(4, "stream 7", 2);
  set(5, "stream 8", 1);
  Track& track = p.tracks[3];
  track.events = {{.start_ns = 1500, .dur_ns = 2001, .name = s.add("gemm"), .category = s.add("kernel"), .dur_ps = 7},
                  {.start_ns = 9000, .name = s.add("mark"), .kind = EventKind::kInstant},
                  {.start_ns = 9001, .dur_ns = 5, .name = s.add("no arguments")},
                  {.start_ns = 9002, .dur_ns = 0, .name = s.add("short")},
                  {.start_ns = 9003, .dur_ns = 6, .name = s.add("copy"), .kind = EventKind::kAsynchronous}};
  find_or_add_argument(track.arguments, s.add("bytes"), s.add("B"), ArgumentType::kInteger)
      .push_back(0, std::int64_t{17});
  find_or_add_argument(track.arguments, s.add("how"), StringId{}, ArgumentType::kText).push_back(0, s.add("fast"));
  p.start_ns = 500;
  p.end_ns = 10'000;
  std::string text;
  chrome_trace::write(capture, {}, [&](std::string_view part) { text += part; });

  // Numbers as they are written: a double would not hold them all.
  CHECK(text.find("\"ts\":1,\"dur\":2.001007,") != std::string::npos);
  std::map<std::string, int> process_names;
  std::map<int, int> process_of_lane;
  std::map<std::string, json> by_name;
  std::vector<json> copies;
  const json trace = json::parse(text);
  for (const json& event : trace["traceEvents"]) {
    const std::string name = event["name"];
    if (name == "process_name") process_names[event["args"]["name"]] = event["pid"];
    if (name == "thread_name") process_of_lane[event["tid"].get<int>()] = event["pid"];
    if (name == "copy") copies.push_back(event);
    by_name[name] = event;
  }
  CHECK(process_of_lane[3] == process_names["rank 0 GPU 0"]);
  CHECK(process_of_lane[5] == process_names["rank 0 GPU 0"]);
  CHECK(process_of_lane[4] == process_names["rank 1"]);
  CHECK(by_name["gemm"]["ph"] == "X");
  CHECK(by_name["gemm"]["cat"] == "kernel");
  CHECK(by_name["gemm"]["args"] == json{{"bytes", 17}, {"how", "fast"}});
  CHECK(by_name["mark"]["ph"] == "i");
  CHECK(by_name["short"]["ph"] == "X");
  CHECK(by_name["short"]["dur"] == 0);
  CHECK_FALSE(by_name["no arguments"].contains("args"));
  REQUIRE(copies.size() == 2);
  CHECK(copies[0]["ph"] == "b");
  CHECK(copies[1]["ph"] == "e");
  CHECK(copies[0]["id"] == copies[1]["id"]);
}

}  // namespace
}  // namespace vizd::chrome_trace_writer_test
