// What the page asks of a capture that has one of everything: stacks sampled, numbers on nodes, programs that no
// context made, events found by their arguments.
#include "support/catch.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"
#include "vizd/capture_writer.h"

namespace vizd::everything_routes_test {
namespace {

void write_capture(const std::string& path) {
  capture::CaptureWriter w(path);
  const auto main = w.stack("main", "train.py", 3);
  const auto step = w.stack("step", "train.py", 12, main);
  const auto context = w.context("kernel", step);
  const auto leaf = w.op({w.kind("LEAF"), "int"}, {});
  const auto twice = w.op({w.kind("ADD"), "int"}, {leaf, leaf});
  const auto shifted = w.op({w.kind("SHL"), "int", "1"}, {leaf});
  const auto simplify = w.pass(context, "simplify", twice, w.location("passes.cpp", 1));
  w.match(simplify, twice, shifted, w.location("rules.cpp", 7, "x + x"));
  w.program(context, "kernel", "out = x << 1;", "GPU 0");
  w.program(capture::kNoContext, "gemm", "library", "GPU 0");
  const auto time = w.measure("time", "ns");
  w.op_value(time, leaf, 1.5);
  w.op_value(time, twice, 2.5);
  const auto stream = w.track({"stream 7", "stream", w.track({"GPU 0", "device"})});
  const auto bytes = w.argument("memory", "B", capture::ArgumentType::kInteger);
  w.event(stream, "gemm", 100, 50, {{bytes, 4096}});
  w.event(stream, "copy", 200, 20, {{bytes, 8192}});
  w.event(stream, "plain", 230, 5);
  w.stack_sample(stream, 120, step);
  w.stack_sample(stream, 130, step, 2.5);
  w.stack_sample(stream, 140, main);
}

struct ServedEverything {
  ServedEverything() { served.loaded(); }
  TemporaryFolder folder;
  std::string path = [this] {
    write_capture(folder / "everything.bin");
    return folder / "everything.bin";
  }();
  ServedCapture served{path};
};

TEST_CASE("stacks that samples stood at come by weight, with their frames from the innermost") {
  const ServedEverything of;
  const nlohmann::json all = of.served.json("/api/v1/stacks");
  CHECK(all["samples"] == 3);
  CHECK(all["total"] == 2);
  REQUIRE(all["stacks"].size() == 2);
  CHECK(all["stacks"][0]["weight"] == 3.5);
  CHECK(all["stacks"][0]["frames"][0] == nlohmann::json({{"function", "step"}, {"file", "train.py"}, {"line", 12}}));
  CHECK(all["stacks"][0]["frames"][1]["function"] == "main");
  CHECK(of.served.json("/api/v1/stacks?from=31&to=40")["samples"] == 1);  // from the profile's start, at 100
  CHECK(of.served.json("/api/v1/stacks?limit=1")["stacks"].size() == 1);
  CHECK(of.served.answer("/api/v1/stacks?lanes=77").status == 404);
}

TEST_CASE("numbers on ops are told of the nodes of a state") {
  const ServedEverything of;
  CHECK(of.served.json("/api/v1/contexts")["measures"][0] == nlohmann::json({{"name", "time"}, {"unit", "ns"}}));
  const nlohmann::json before = of.served.json("/api/v1/measures/0/0/0")["measures"][0];
  CHECK(before["unit"] == "ns");
  CHECK(before["value"].size() == 2);
  const nlohmann::json after = of.served.json("/api/v1/measures/0/0/1")["measures"][0];
  CHECK(after["value"] == nlohmann::json::array({1.5}));  // the ADD is gone
  CHECK(of.served.answer("/api/v1/measures/0/0/2").status == 404);
}

TEST_CASE("the session brings the contexts along where they are asked for") {
  const ServedEverything of;
  CHECK_FALSE(of.served.json("/api/v1/session").contains("contexts"));
  const nlohmann::json contexts = of.served.json("/api/v1/contexts");
  CHECK(of.served.json("/api/v1/session?contexts=")["contexts"] == contexts);
  CHECK(of.served.json("/api/v1/session?contexts=everything")["contexts"] == contexts);
}

TEST_CASE("a program that no context made is listed, and asked for by its number") {
  const ServedEverything of;
  const nlohmann::json programs = of.served.json("/api/v1/contexts")["programs"];
  REQUIRE(programs.size() == 1);
  CHECK(programs[0]["name"] == "gemm");
  const std::string path = "/api/v1/program/p" + programs[0]["program"].dump();
  const nlohmann::json program = of.served.json(path);
  CHECK(program["source"] == "library");
  CHECK(program["executions"]["count"] == 1);  // the event of its name
  CHECK(program["executions"]["total_ns"] == 50);
  CHECK(of.served.json(path + "/code")["origin"] == "none");
  CHECK(of.served.answer("/api/v1/program/p9").status == 404);
  CHECK(of.served.answer("/api/v1/program/p").status == 400);
}

TEST_CASE("events are found by their arguments, and sorted by them") {
  const ServedEverything of;
  const nlohmann::json found = of.served.json("/api/v1/events/search?q=memory>5k&arguments=1");
  CHECK(found["total"] == 1);
  CHECK(found["items"][0]["label"] == "copy");
  CHECK(found["items"][0]["arguments"][0] == nlohmann::json({{"name", "memory"}, {"unit", "B"}, {"value", 8192}}));
  const nlohmann::json sorted = of.served.json("/api/v1/events/search?q=dur>0&sort=-argument:memory");
  CHECK(sorted["items"][0]["label"] == "copy");
  CHECK(sorted["items"][2]["label"] == "plain");
  CHECK(of.served.json("/api/v1/events/search?q=dur>0&sort=-dur&limit=1")["items"][0]["label"] == "gemm");
  CHECK(of.served.answer("/api/v1/events/search?q=x&sort=colour").status == 400);
}

}  // namespace
}  // namespace vizd::everything_routes_test
