// What the server answers about a memory whose allocator told of itself, held against what the commands print of the
// same snapshot; and two of them compared.
#include <fmt/core.h>

#include <algorithm>

#include "support/made_snapshot.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::allocator_routes_test {
using nlohmann::json;

namespace {

const std::string kTrain = test_data("../golden/torch_memory/train/input/train.pickle");
const std::string kCpp = test_data("../golden/torch_memory/cpp/input/cpp.pickle");
constexpr std::int64_t kPeakBytes = 20'974'592;  // tests/golden/torch_memory/train

// The path of the first memory with a log.
std::string allocator_path(const ServedCapture& served) {
  const json lanes = served.json("/api/v1/lanes");
  std::size_t place = 0;
  for (const json& lane : lanes["lanes"]) {
    if (lane.value("memory", json()).is_object() && lane["memory"]["has_log"] == true) break;
    ++place;
  }
  REQUIRE(place < lanes["lanes"].size());
  return fmt::format("/api/v1/allocator/{}/{}", lanes["key"].get<std::string>(), place);
}

// A column of a curve, which is of differences.
std::vector<std::int64_t> sum_up(const json& differences, std::int64_t unit) {
  std::vector<std::int64_t> numbers;
  std::int64_t sum = 0;
  for (const json& difference : differences) numbers.push_back((sum += difference.get<std::int64_t>()) * unit);
  return numbers;
}

}  // namespace

TEST_CASE("an allocator's peaks, why it ran out and what its file lacks are the commands' own") {
  ServedCapture served(kTrain);
  served.loaded();
  CHECK(served.json("/api/v1/session")["captures"][0]["allocators"] == 1);
  const std::string path = allocator_path(served);
  const json all = served.json(path);
  CHECK(all["is_exact"] == true);
  CHECK(all["peaks"]["allocated"] == json{{"bytes", kPeakBytes}, {"entry", 26}, {"at_ns", 78'000}});
  CHECK(all["peaks"]["reserved"]["bytes"] == 23'068'672);
  CHECK(all["shape"]["inactive_bytes"] == 20'968'448);
  CHECK(all["shape"]["pending_bytes"] == 2'097'152);
  REQUIRE(all["ooms"].size() == 1);
  const json& oom = all["ooms"][0];
  CHECK(oom["asked_bytes"] == 15'728'640);
  CHECK(oom["device_free_bytes"] == 4096);
  CHECK(oom["is_fragmented"] == true);
  CHECK(oom["shape"]["largest_free_bytes"] == 10'485'760);
  REQUIRE(oom["between"].is_object());
  CHECK(oom["between"]["size_bytes"].get<std::int64_t>() >= 15'728'640);
  CHECK(oom["between"]["lives"].size() == 1);
  CHECK(all["steps"] == json::array({{{"name", "ProfilerStep#"}, {"count", 4}}}));
  CHECK(all["lacking"].empty());
}

TEST_CASE("the curve keeps the peak at any width, and its owners add up to what is allocated") {
  ServedCapture served(kTrain);
  served.loaded();
  const std::string path = allocator_path(served);
  for (const int width : {1, 7, 4000}) {
    INFO(width);
    const json curve = served.json(fmt::format("{}/curve?from=0&to=100000&width={}&owners=64", path, width));
    const std::vector<std::int64_t> allocated = sum_up(curve["allocated"], curve["unit_bytes"]);
    CHECK(std::ranges::max(allocated) == kPeakBytes);
    CHECK(curve["entries"] == 34);
    CHECK(curve["entry"][0] == -1);
    CHECK(std::ranges::is_sorted(sum_up(curve["entry"], 1)));
    std::vector<std::int64_t> sums(allocated.size());
    for (const json& owner : curve["owners"]) {
      const std::vector<std::int64_t> bytes = sum_up(owner["bytes"], curve["unit_bytes"]);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += bytes[i];
    }
    CHECK(sums == allocated);
  }
  CHECK(served.status(path + "/curve?from=5&to=5&width=10") == 400);
  CHECK(served.status(path + "/curve?from=0&to=5&width=10&by=colour") == 400);
}

TEST_CASE("owners, segments and leaks of a moment follow from the entries up to it") {
  ServedCapture served(kTrain);
  served.loaded();
  const std::string path = allocator_path(served);
  const json owners = served.json(path + "/owners?at=peak");
  CHECK(owners["entry"] == 26);
  CHECK(owners["bytes"] == kPeakBytes);
  CHECK(owners["rows"][0]["owner"] == "aten::mul, no line of the user's");
  CHECK(owners["rows"][1]["owner"] == "/home/you/run/model.py:12:forward");
  CHECK(served.json(path + "/owners?by=phase")["rows"].size() >= 2);
  CHECK(served.json(path + "/owners?by=way&entry=20")["rows"][0]["owner"].is_array());
  // The peak of a range is no later one.
  CHECK(served.json(path + "/owners?at=peak&from=0&to=20000")["entry"].get<int>() < 26);
  // What was made in a time, and what of it is left at the end of that.
  const json made = served.json(path + "/owners?of=made&from=0&to=100000"),
             left = served.json(path + "/owners?of=left&from=0&to=100000");
  CHECK(made["allocations"] == 14);
  CHECK(left["entry"] == 33);
  CHECK(left["bytes"] == served.json(path + "/owners?at=end")["bytes"]);
  CHECK(served.json(path + "/owners?of=left&from=0&to=20000")["allocations"].get<int>() <
        served.json(path + "/owners?of=made&from=0&to=20000")["allocations"].get<int>());
  CHECK(served.json(path + "/lives?of=left&from=0&to=100000")["block_bytes"] == left["bytes"]);
  CHECK(served.status(path + "/owners?of=left") == 400);
  CHECK(served.status(path + "/owners?of=most&from=0&to=9") == 400);

  const json state = served.json(path + "/state?entry=32");
  CHECK(state["action"] == "oom");
  std::int64_t reserved = 0;
  for (const json& segment : state["segments"]) {
    std::int64_t next = 0;
    for (std::size_t i = 0; i < segment["offset"].size(); ++i) {
      CHECK(segment["offset"][i] == next);
      next += segment["bytes"][i].get<std::int64_t>();
    }
    CHECK(next == segment["size_bytes"]);
    reserved += next;
  }
  CHECK(reserved == state["bytes"]["reserved"]);
  CHECK(served.json(path + "/state?entry=-1")["bytes"]["reserved"] == 0);
  CHECK(served.status(path + "/state?entry=34") == 400);

  const json leaks = served.json(path + "/leaks?name=ProfilerStep");
  CHECK(leaks["steps"] == 2);
  REQUIRE(leaks["rows"].size() == 1);
  CHECK(leaks["rows"][0]["owner"] == "/home/you/run/metrics.py:7:log");
  CHECK(leaks["rows"][0]["by_step"] == json{512, 512});
  CHECK(served.status(path + "/leaks") == 400);
}

TEST_CASE("allocations are found by size, line and address, and one tells its life and its stack") {
  ServedCapture served(kTrain);
  served.loaded();
  const std::string path = allocator_path(served);
  const json large = served.json(path + "/lives?q=size>1e7");
  REQUIRE(large["count"].get<int>() > 0);
  CHECK(large["rows"][0]["block_bytes"].get<std::int64_t>() > 10'000'000);
  CHECK(served.json(path + "/lives?q=FRAME:log")["count"] == 4);
  const std::string address = large["rows"][0]["address"];
  CHECK(served.json(path + "/lives?q=" + address)["count"].get<int>() >= 1);
  CHECK(served.json(path + "/lives?q=size>1e7 frame:nobody")["count"] == 0);
  CHECK(served.status(path + "/lives?q=size>much") == 400);
  CHECK(served.json(path + "/lives?leaked=ProfilerStep&by=line")["count"] == 2);
  CHECK(served.json(path + "/lives?entry=-1")["count"] == 0);

  const json life = served.json(path + "/life?life=0");
  CHECK(life["life"]["born_entry"].get<int>() >= 0);
  CHECK(life["frames"].size() == life["depth"]);
  CHECK(served.status(path + "/life?life=14") == 400);
  CHECK(served.status("/api/v1/allocator/0/0") == 404);
}

TEST_CASE(
    "where the forward of a backward pass was is told with its allocation, with the code that its snapshot brings") {
  using made_snapshot::Document;
  Document alloc = made_snapshot::entry("alloc", 4096, 512, 1), other = made_snapshot::entry("alloc", 8192, 512, 2);
  alloc["forward_frames"] = Document::array({"  File \"/app/model.py\", line 33, in forward\n    x = self.q(x)\n"});
  Document top;
  top["segments"] = Document::array();
  const Document freed = made_snapshot::entry("free_completed", 8192, 512, 3);
  top["device_traces"] = Document::array({Document::array({alloc, other, freed})});
  const TemporaryFolder folder;
  folder.write("made.pickle", made_snapshot::pickled(top));
  ServedCapture served(folder / "made.pickle");
  served.loaded();
  const std::string path = allocator_path(served);
  CHECK(served.json(path)["lacking"] ==
        json{"stacks", "pools", "requests to free: memory counts as allocated until its block is free", "annotations"});
  const json first = served.json(path + "/life?life=0"), second = served.json(path + "/life?life=1");
  CHECK(first["life"]["forward_line"] == "/app/model.py:33:forward");
  CHECK(first["forward_frames"] ==
        json::array({{{"function", "forward"}, {"file", "/app/model.py"}, {"line", 33}, {"code", "x = self.q(x)"}}}));
  CHECK(second["life"]["forward_line"].is_null());
  CHECK(second["forward_frames"].empty());
}

TEST_CASE("two snapshots are compared line by line, at the peak and at the end") {
  ServedCapture served({.sets = named_sets({kTrain, kCpp}), .folders = {}});
  served.loaded();
  const json same = served.json("/api/v1/compare/memory?capture=c1&with=c0");
  CHECK(same["a"]["peak_bytes"] == kPeakBytes);
  CHECK(same["b"]["peak_bytes"] == kPeakBytes);
  REQUIRE(!same["peak"].empty());
  CHECK(same["a"]["ranges"][0]["name"] == "ProfilerStep#");
  CHECK(same["a"]["ranges"][0]["from_ns"].get<int>() >= 0);
  for (const char* const moment : {"peak", "end"}) {
    for (const json& row : same[moment]) {
      CHECK(row["state"] == "both");
      CHECK(row["delta_bytes"] == 0);
    }
  }
  CHECK(served.status("/api/v1/compare/memory?capture=c1&with=c0&by=colour") == 400);
}

TEST_CASE("two steps of one snapshot are compared, an early one with the last where nobody says") {
  ServedCapture served(kTrain);
  served.loaded();
  CHECK(served.json("/api/v1/session")["captures"][0]["has_memory_parts"] == true);
  const json steps = served.json("/api/v1/compare/memory?with=c0");
  CHECK(steps["a"]["range"] == "ProfilerStep#1");
  CHECK(steps["b"]["range"] == "ProfilerStep#3");
  CHECK(steps["a"]["to_ns"] <= steps["b"]["from_ns"]);
  CHECK(steps["a"]["named"].size() >= 4);
  const json chosen = served.json("/api/v1/compare/memory?with=c0&a_range=ProfilerStep#0&b_range=ProfilerStep#2");
  CHECK(chosen["a"]["range"] == "ProfilerStep#0");
  CHECK(served.status("/api/v1/compare/memory?with=c0&a_range=nothing") == 404);
}

TEST_CASE("a trace of the same run is found, and its operators and kernels lead to the snapshot's memory") {
  const TemporaryFolder folder;
  const json life = [] {
    ServedCapture alone(kTrain);
    alone.loaded();
    return alone.json(allocator_path(alone) + "/life?life=3")["life"];
  }();
  const double at_us = life["born_ns"].get<double>() / 1000;
  const std::uint64_t address = std::stoull(life["address"].get<std::string>(), nullptr, 16);
  const auto event = [](const char* name, const char* category, double ts, double dur, json args) {
    return json{{"ph", "X"}, {"name", name}, {"cat", category}, {"pid", 1},
                {"tid", 7},  {"ts", ts},     {"dur", dur},      {"args", std::move(args)}};
  };
  json report{{"ph", "i"}, {"s", "t"}, {"cat", "cpu_instant_event"}, {"name", "[memory]"}, {"pid", 1}, {"tid", 7}};
  report["ts"] = at_us;
  report["args"] = {{"Device Type", 1}, {"Device Id", 0}, {"Addr", address}, {"Bytes", life["block_bytes"]}};
  json kernel = event("gemm", "kernel", at_us + 0.5, 1, {{"device", 0}, {"stream", 7}});
  kernel["pid"] = 0;
  const json trace{{"baseTimeNanoseconds", 1'750'000'000'000'000'000},
                   {"traceEvents", {event("aten::empty", "cpu_op", at_us - 1, 2, json::object()), report, kernel}}};
  folder.write("trace.json", trace.dump());
  ServedCapture served({.sets = named_sets({kTrain, folder / "trace.json"}), .folders = {}});
  served.loaded();
  const json hits = served.json("/api/v1/events/search?q=aten::empty&capture=c1")["items"];  // waits until it is read
  const json kernels = served.json("/api/v1/events/search?q=gemm&capture=c1")["items"];
  const json captures = served.json("/api/v1/session")["captures"];
  CHECK(captures[0]["same_run"] == json{"c1"});
  CHECK(captures[1]["same_run"] == json{"c0"});
  const auto memory = [&](const json& item) {
    return served.json(fmt::format("/api/v1/event/{}/{}/memory?capture=c1&with=c0", item["lane"].get<int>(),
                                   item["index"].get<int>()));
  };
  REQUIRE(hits.size() == 1);
  const json asked = memory(hits[0]);
  CHECK(asked["kind"] == "asked");
  REQUIRE(asked["memories"].size() == 1);
  CHECK(asked["memories"][0]["is_sure"] == true);
  CHECK(asked["memories"][0]["count"] == 1);
  CHECK(asked["memories"][0]["rows"][0]["life"] == 3);
  REQUIRE(kernels.size() == 1);
  const json alive = memory(kernels[0]);
  CHECK(alive["kind"] == "alive");
  CHECK(alive["memories"][0]["block_bytes"].get<std::int64_t>() >= life["block_bytes"].get<std::int64_t>());
  const json linked = served.json(allocator_path(served) + "/life?life=3&trace=c1")["link"];
  CHECK(linked["status"] == "linked");
  CHECK(linked["event"]["name"] == "aten::empty");
  CHECK(served.status("/api/v1/event/0/99/memory?capture=c1&with=c0") == 404);
}

}  // namespace vizd::allocator_routes_test
