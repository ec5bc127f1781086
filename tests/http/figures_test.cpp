// One set of events has the same figures wherever it is told of (docs/figures.md): in a range's table, as the durations
// of a name, as a program's executions, in the list of programs, and on the command line.
#include <map>

#include "base/clean_text.h"
#include "http/command_run.h"
#include "support/catch.h"
#include "support/places.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::figures_test {
namespace {

const std::string kFolder = test_data("tinygrad-2025-09/");

struct ServedProfile : ServedCapture {
  ServedProfile() : ServedCapture(kFolder + "ramp.rewrites.pkl", kFolder + "ramp.profile.pkl") { loaded(); }

  nlohmann::json lines() const {
    const std::int64_t dur_ns = json("/api/v1/lanes")["dur_ns"];
    return json("/api/v1/range?by=lane&from=0&to=" + std::to_string(dur_ns + 1))["names"];
  }
};

void check_same(const nlohmann::json& found, const nlohmann::json& wanted, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    INFO(key);
    CHECK(found[key] == wanted[key]);
  }
}

bool is_close(const nlohmann::json& found, const nlohmann::json& wanted) {
  return std::abs(found.get<double>() - wanted.get<double>()) < 1e-9;
}

TEST_CASE("a name in a lane has one set of figures in tables and histograms") {
  const ServedProfile served;
  const std::string key = served.json("/api/v1/lanes")["key"];
  const nlohmann::json lines = served.lines();
  REQUIRE(lines.size() > 20);
  for (const nlohmann::json& line : lines) {
    const nlohmann::json found =
        served.json("/api/v1/durations/" + key + "/" + line["name"].dump() + "?bins=5&lanes=" + line["lane"].dump());
    check_same(found, line,
               {"count", "total_ns", "self_ns", "covered_ns", "mean_ns", "median_ns", "p90_ns", "max_ns", "worst"});
  }
}

TEST_CASE("a range's figures are of what lies in it, whoever asks") {
  const ServedProfile served;
  const nlohmann::json lanes = served.json("/api/v1/lanes");
  // From amid an event that holds others, to amid a later one.
  const nlohmann::json first = served.json("/api/v1/event/0/0"), later = served.json("/api/v1/event/0/3");
  const std::int64_t from_ns = first["start_ns"].get<std::int64_t>() + first["dur_ns"].get<std::int64_t>() / 2;
  const std::int64_t to_ns = later["start_ns"].get<std::int64_t>() + later["dur_ns"].get<std::int64_t>() / 2;
  REQUIRE(from_ns < to_ns);
  const std::string range = "from=" + std::to_string(from_ns) + "&to=" + std::to_string(to_ns);
  const nlohmann::json table = served.json("/api/v1/range?" + range);
  CHECK(table["wall_ns"] == (to_ns - from_ns) * table["lanes"].get<std::int64_t>());
  CHECK(table["busy_ns"] <= table["wall_ns"]);
  std::int64_t busy_ns = 0;
  for (std::size_t lane = 0; lane < lanes["lanes"].size(); ++lane)
    busy_ns += served.json("/api/v1/range?" + range + "&lanes=" + std::to_string(lane))["busy_ns"].get<std::int64_t>();
  CHECK(table["busy_ns"] == busy_ns);
  const std::string last = std::to_string(lanes["lanes"].size() - 1);
  CHECK(served.json("/api/v1/range?" + range + "&lanes=0-" + last + ",0")["names"] == table["names"]);
  CHECK(served.status("/api/v1/range?" + range + "&lanes=0-x") == 400);
  CHECK(served.status("/api/v1/range?" + range + "&lanes=1-0") == 400);
  REQUIRE(!table["names"].empty());
  for (const nlohmann::json& name : table["names"]) {
    CHECK(name["self_ns"] <= name["total_ns"]);
    CHECK(name["median_ns"] <= to_ns - from_ns);
    CHECK(name["mean_ns"] <= to_ns - from_ns);
    CHECK(is_close(name["share"], name["covered_ns"].get<double>() / table["busy_ns"].get<double>()));
    CHECK(is_close(name["wall_share"], name["covered_ns"].get<double>() / table["wall_ns"].get<double>()));
  }
}

TEST_CASE("a function that calls itself is never more than all that was done") {
  const TemporaryFolder folder;
  folder.write("trace.json", R"([{"ph":"X","name":"call","pid":1,"tid":1,"ts":0,"dur":10},
                                 {"ph":"X","name":"call","pid":1,"tid":1,"ts":1,"dur":8},
                                 {"ph":"X","name":"call","pid":1,"tid":1,"ts":2,"dur":6},
                                 {"ph":"X","name":"other","pid":1,"tid":1,"ts":20,"dur":10}])");
  ServedCapture served(folder / "trace.json");
  served.loaded();
  const nlohmann::json table = served.json("/api/v1/range?from=0&to=30000");
  CHECK(table["busy_ns"] == 20'000);
  const nlohmann::json& call = table["names"][0];
  CHECK(call["total_ns"] == 24'000);
  CHECK(call["covered_ns"] == 10'000);
  CHECK(call["share"] == 0.5);
  CommandRun run({"summary", "--json", folder / "trace.json"});
  for (const nlohmann::json& record : run.records()) {
    if (record.value("event", "") == "call") CHECK(record["share"] == 0.5);
  }
}

TEST_CASE("what happens as a profile ends belongs to a range that ends there") {
  TemporaryFolder folder;
  folder.write("trace.json", R"([{"ph":"X","name":"work","pid":1,"tid":1,"ts":0,"dur":5},
                                 {"ph":"i","name":"end","pid":1,"tid":1,"ts":9}])");
  ServedCapture served(folder / "trace.json");
  served.loaded();
  const auto count = [&](std::int64_t to_ns) {
    return served.json("/api/v1/range?from=0&to=" + std::to_string(to_ns))["names"].size();
  };
  CHECK(served.json("/api/v1/lanes")["dur_ns"] == 9000);
  CHECK(count(8999) == 1);
  CHECK(count(9000) == 2);
}

TEST_CASE("a program's executions have the figures of its name on its device") {
  const ServedProfile served;
  const nlohmann::json lanes = served.json("/api/v1/lanes")["lanes"], lines = served.lines();
  const nlohmann::json contexts = served.json("/api/v1/contexts")["contexts"];
  const nlohmann::json programs = served.json("/api/v1/programs")["programs"];
  std::size_t ran = 0;
  for (const nlohmann::json& program : programs) {
    const std::size_t context = program["context"];
    const nlohmann::json shown = served.json("/api/v1/program/" + std::to_string(context));
    CHECK(shown["device"] == program["device"]);
    if (program["count"] == 0) {
      CHECK(shown["executions"].is_null());
      continue;
    }
    ++ran;
    check_same(shown["executions"], program,
               {"count", "total_ns", "self_ns", "mean_ns", "median_ns", "p90_ns", "max_ns"});
    // The capture has one lane of that device.
    const auto line = std::ranges::find_if(lines, [&](const nlohmann::json& each) {
      return lanes[each["lane"].get<std::size_t>()]["name"] == program["device"] &&
             each["label"] == contexts[context]["name"];
    });
    REQUIRE(line != lines.end());
    check_same(*line, program, {"count", "total_ns", "self_ns", "mean_ns", "median_ns", "p90_ns", "max_ns"});
  }
  CHECK(ran > 3);
}

TEST_CASE("the command line tells the same figures") {
  const ServedProfile served;
  CommandRun run(
      {"summary", "--json", "--limit", "100000", kFolder + "ramp.rewrites.pkl", kFolder + "ramp.profile.pkl"});
  REQUIRE(run.code == 0);
  const nlohmann::json lanes = served.json("/api/v1/lanes")["lanes"];
  std::map<std::pair<std::string, std::string>, nlohmann::json> lines;
  for (const nlohmann::json& line : served.lines())
    lines[{one_line(line["label"].get<std::string>(), false), lanes[line["lane"].get<std::size_t>()]["path"]}] = line;
  std::size_t events = 0, busy_lanes = 0, programs = 0;
  for (const nlohmann::json& record : run.records()) {
    if (record.contains("busy_ns")) {
      ++busy_lanes;
      const auto lane = std::ranges::find(lanes, record["lane"], [](const nlohmann::json& l) { return l["path"]; });
      REQUIRE(lane != lanes.end());
      CHECK((*lane)["busy_ns"] == record["busy_ns"]);
    } else if (record.contains("event")) {
      ++events;
      const nlohmann::json& line = lines.at({record["event"], record["lane"]});
      check_same(record, line, {"count", "total_ns", "self_ns", "mean_ns", "median_ns", "p90_ns", "max_ns"});
      CHECK(is_close(record["share"], line["share"]));
    } else if (record.contains("program")) {
      ++programs;
    }
  }
  CHECK(events == lines.size());
  CHECK(busy_lanes == 2);
  CHECK(programs > 3);
}

}  // namespace
}  // namespace vizd::figures_test
