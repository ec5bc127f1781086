// A profile as a Chrome trace: what lanes, events and their arguments become, exactly.
#include <map>
#include <nlohmann/json.hpp>

#include "formats/chrome_trace/format.h"
#include "support/catch.h"

namespace vizd {
namespace {

using nlohmann::json;

TEST_CASE("a Chrome trace has the lanes' processes, exact times and the events' arguments", "[export]") {
  Capture capture;
  StringTable& s = capture.strings;
  Profile& p = capture.profile;
  const std::string args("{\"bytes\": 17}\0 {} ", 18);
  for (const char c : args) p.args.push_back(c);
  p.args.push_back('\0');
  p.lanes.resize(3);
  p.lanes[0].name = p.lanes[1].name = s.add("stream 7");
  p.lanes[0].group = {s.add("rank 0"), {}, s.add("GPU 0"), {}};
  p.lanes[1].group = {s.add("rank 1"), {}, s.add("GPU 0"), {}};
  p.lanes[2].name = s.add("stream 8");
  p.lanes[2].group = p.lanes[0].group;
  p.lanes[0].events = {
      {.start_ns = 1500, .dur_ns = 2001, .name = s.add("gemm"), .info = s.add("fast"), .dur_ps = 7, .args = 1},
      {.start_ns = 9000, .name = s.add("mark")},
      {.start_ns = 9001, .dur_ns = 5, .name = s.add("no arguments"), .args = 15}};
  p.start_ns = 500;
  p.end_ns = 10'000;
  std::string text;
  chrome_trace::write(capture, {}, [&](std::string_view part) { text += part; });

  // Numbers as they are written: a double would not hold them all.
  CHECK(text.find("\"ts\":1,\"dur\":2.001007,") != std::string::npos);
  std::map<std::string, int> process_names;
  std::vector<int> process_of_lane(3, -1);
  json gemm, mark, bare;
  const json trace = json::parse(text);
  for (const json& event : trace["traceEvents"]) {
    const std::string name = event["name"];
    if (name == "process_name") process_names[event["args"]["name"]] = event["pid"];
    if (name == "thread_name") process_of_lane[event["tid"].get<std::size_t>()] = event["pid"];
    if (name == "gemm") gemm = event;
    if (name == "mark") mark = event;
    if (name == "no arguments") bare = event;
  }
  CHECK(process_names == std::map<std::string, int>{{"rank 0 GPU 0", 0}, {"rank 1 GPU 0", 1}});
  CHECK(process_of_lane == std::vector<int>{0, 1, 0});
  CHECK(gemm["ph"] == "X");
  CHECK(gemm["args"] == json{{"bytes", 17}, {"info", "fast"}});
  CHECK(mark["ph"] == "i");
  CHECK(bare["ph"] == "X");
  CHECK_FALSE(bare.contains("args"));
}

}  // namespace
}  // namespace vizd
