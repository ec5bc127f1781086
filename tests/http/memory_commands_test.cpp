// vizd memory, vizd link, and vizd summary and compare of memory snapshots, as a user runs them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "http/command_run.h"
#include "support/catch.h"
#include "support/packed.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::memory_commands_test {
namespace {

using nlohmann::json;
using Run = CommandRun;
namespace fs = std::filesystem;

const std::string kTrain = test_data("../golden/torch_memory/train/input/train.pickle");
const std::string kExpandable = test_data("../golden/torch_memory/expandable/input/expandable.pickle");

json find(const std::vector<json>& records, const std::string& key, const json& value) {
  for (const json& record : records) {
    if (record.contains(key) && record[key] == value) return record;
  }
  return nullptr;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("vizd memory alone answers on one screen: peaks, owners, fragmentation, why memory ran out, what is left") {
  const Run run({"memory", kTrain});
  CHECK(run.code == 0);
  CHECK(run.lines().size() <= 20);
  for (const char* text : {"replayed exactly", "allocated peak  21.0 MB at entry 26", "model.py:12:forward",
                           "aten::mul, no line of the user's", "Out of memory: once", "fragmented",
                           "Still alive from the last step", "metrics.py:7:log"}) {
    INFO(text << "\n" << run.out);
    CHECK(run.out.find(text) != std::string::npos);
  }
}

TEST_CASE(
    "vizd summary of a memory snapshot has its file, devices, actions, pools, fragmentation and lacks of memory") {
  const Run summary({"summary", kTrain, "--json"});
  REQUIRE(summary.code == 0);
  const auto records = summary.records();
  CHECK(find(records, "record", "file")["events"] == 34);
  const json device = find(records, "record", "device");
  CHECK(device["peak_allocated_bytes"] == 20'974'592);
  CHECK(device["peak_allocated_event"] == 26);
  CHECK(device["replay_exact"] == true);
  CHECK(find(records, "action", "alloc")["events"] == 14);
  CHECK(find(records, "record", "pool")["pool"] == json::array({0, 0}));
  CHECK(find(records, "moment", "end")["pending_bytes"] == 2'097'152);
  CHECK(find(records, "record", "oom")["asked_bytes"] == 15'728'640);
  CHECK(find(records, "name", "ProfilerStep#2")["device"] == 0);
  CHECK(Run({"memory", kTrain, "--json"}).out == summary.out);
}

TEST_CASE("vizd memory tells the bytes over time and at a time, lives, states, owners and leaks") {
  const auto asked = [](std::vector<std::string> more, const std::string& file = kTrain) {
    more.insert(more.begin(), {"memory", file, "--json"});
    const Run run(more);
    CHECK(run.code == 0);
    return run.records();
  };
  const auto timeline = asked({"--timeline", "3"});
  REQUIRE(timeline.size() == 3);
  CHECK(timeline[1]["event"] == 16);
  CHECK(timeline[2]["live"] == 6);
  const auto at = asked({"--at", "1750000000000081000,0"});
  REQUIRE(at.size() == 2);
  CHECK(at[0]["event"] == 26);
  CHECK(at[0]["allocated_bytes"] == 20'974'592);
  CHECK(at[1]["event"] == -1);
  const auto lives = asked({"--allocations"});
  CHECK(lives.size() == 14);
  CHECK(find(lives, "born_event", 1)["user_metadata"] == "weights");
  CHECK(find(lives, "born_event", 4)["phase"] == "backward");
  const auto state = asked({"--state", "end"});
  CHECK(find(state, "state", "active_pending_free")["size"] == 2'097'152);
  CHECK(asked({"--state", "-1"}).empty());
  const auto owners = asked({"--owners", "frame,operator,pool"});
  CHECK(find(owners, "owner", "/home/you/run/metrics.py:7:log")["count"] == 4);
  CHECK(find(owners, "owner", "mul")["requested_bytes"] == 16'777'221);
  const auto leaks = asked({"--leaks", "ProfilerStep#"});
  REQUIRE(leaks.size() == 2);
  CHECK(leaks[0]["frame"] == "/home/you/run/metrics.py:7:log");
  CHECK(leaks[0]["step"] == 1);
  const auto without_times = asked({"--allocations"}, kExpandable);
  CHECK(find(without_times, "end", "lost")["born_ns"] == nullptr);
}

TEST_CASE("vizd memory refuses what makes no sense, and files that are no snapshots") {
  CHECK(Run({"memory", kTrain, "--owners", "colour"}).code == 2);
  CHECK(Run({"memory", kTrain, "--at", "now"}).code == 2);
  CHECK(Run({"memory", kTrain, "--state", "middle"}).code == 2);
  CHECK(Run({"memory", kTrain, "--state", "end", "--allocations"}).code == 2);
  const Run other({"memory", test_data("tinygrad-2025-09/ramp.rewrites.pkl")});
  CHECK(other.code == 1);
  CHECK(other.warns("torch.cuda.memory._record_memory_history()"));
}

TEST_CASE("vizd compare of two memory snapshots says who came, went and grew, and whether the peak rose") {
  const Run same({"compare", kTrain, kTrain, "--json", "--max-regress", "0%"});
  CHECK(same.code == 0);
  const json forward = find(same.records(), "frame", "/home/you/run/model.py:12:forward");
  CHECK(forward["state"] == "both");
  CHECK(forward["delta_requested_bytes"] == 0);
  // The verdict is in the first row, and is the first line.
  const json verdict = same.records()[0]["verdict"];
  REQUIRE(verdict.size() == 1);
  CHECK(verdict[0]["change_percent"] == 0);
  CHECK(verdict[0]["a_bytes"] == verdict[0]["b_bytes"]);
  CHECK(std::ranges::count_if(same.records(), [](const json& row) { return row.contains("verdict"); }) == 1);
  const Run more({"compare", kExpandable, kTrain, "--max-regress", "3%"});
  CHECK(more.code == 3);
  CHECK(more.out.find("added") != std::string::npos);
  CHECK(more.out.starts_with("Device 0: the peak of allocated bytes is higher: "));
}

TEST_CASE("vizd link finds the operator of each allocation in a trace of the same run") {
  const TemporaryFolder folder;
  const auto report = [](double ts, std::uint64_t address, int bytes) {
    return json{{"ph", "i"}, {"cat", "cpu_instant_event"},
                {"s", "t"},  {"name", "[memory]"},
                {"pid", 1},  {"tid", 7},
                {"ts", ts},  {"args", {{"Device Type", 1}, {"Device Id", 0}, {"Addr", address}, {"Bytes", bytes}}}};
  };
  const auto call = [](double ts, double dur, const char* name) {
    return json{{"ph", "X"}, {"cat", "cpu_op"}, {"name", name}, {"pid", 1}, {"tid", 7}, {"ts", ts}, {"dur", dur}};
  };
  const json trace{{"schemaVersion", 1},
                   {"traceEvents",
                    {call(1, 20, "aten::empty"), call(5, 2, "aten::zeros"), report(6, 0x7F1000000000, 1024),
                     report(40'000, 0x7F2000000000, 512)}},
                   {"baseTimeNanoseconds", 1'750'000'000'000'000'000}};
  folder.write("trace.json", trace.dump());
  const Run link({"link", kTrain, folder / "trace.json", "--json"});
  REQUIRE(link.code == 0);
  const auto records = link.records();
  CHECK(records.size() == 14);
  CHECK(find(records, "born_event", 1)["operator"] == "aten::zeros");
  CHECK(find(records, "born_event", 1)["operator_start_ns"] == 1'750'000'000'000'005'000);
  CHECK(find(records, "born_event", 1)["thread"] == 7);
  CHECK(find(records, "born_event", 3)["operator"] == nullptr);  // its report is too far away
}

// Made by the program that made the samples, of each file with what is to come of it.
TEST_CASE("hostile memory snapshots are refused, or opened with what is wrong counted, each as is written of it") {
  const std::string maker = shared_data("samples/make/torch_memory.py");
  if (!fs::exists(maker)) {
    WARN("skipped: the shared samples are not here");
    return;
  }
  const TemporaryFolder folder;
  const std::string made = folder / "hostile";
  fs::create_directory(made);
  REQUIRE(std::system(("python3 '" + maker + "' hostile '" + made + "'").c_str()) == 0);
  const json expected = json::parse(bytes_of(made + "/expected.json"));
  CHECK(expected.size() == 44);
  for (const auto& [name, said] : expected.items()) {
    const std::string want = said;
    const Run run({"memory", made + "/" + name + ".pickle", "--json"});
    INFO(name << ": " << want << "\n" << run.process.standard_error);
    const bool may_refuse = want.find("refused") != std::string::npos,
               may_open = want.find("opens") != std::string::npos;
    REQUIRE((run.code == 0 || run.code == 1));
    CHECK((run.code == 0 ? may_open : may_refuse));
    if (run.code != 0) continue;
    const auto records = run.records();
    if (const auto at = want.find("opens, "); at != std::string::npos) {
      const std::uint64_t entries = std::stoull(want.substr(at + 7));
      const std::uint64_t read = find(records, "record", "file")["events"];
      const bool is_other = want.find(" or 195 ") != std::string::npos && read == 195;
      CHECK((read == entries || is_other));
    }
    if (want.find("counted as wrong") != std::string::npos) CHECK(run.warns("skipped "));
    if (want.find("unknown kind") != std::string::npos) CHECK(run.warns("33 entries are of a kind"));
    if (want.find("not in order said") != std::string::npos) CHECK(run.warns("times are not in order"));
    if (want.find("without a time") != std::string::npos) CHECK(run.warns("skipped 33: times"));
    if (want.find("counted as lost") != std::string::npos) CHECK(find(records, "record", "device")["lost"] > 0);
  }
  CHECK(!fs::exists("/tmp/owned"));
}

}  // namespace
}  // namespace vizd::memory_commands_test
