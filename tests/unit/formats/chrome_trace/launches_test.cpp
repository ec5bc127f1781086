// Which call launched which work where numbers stand in a file several times, and what is told of launches and kernels.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/devices/device_analysis.h"
#include "formats/registry.h"
#include "model/argument_json.h"
#include "support/catch.h"

namespace vizd::launches_test {
namespace {

using Strings = std::vector<std::string>;

void read(const std::string& events, Capture& capture) {
  const std::string text = "{\"traceEvents\":[" + events + "{}]}";
  if (const auto done = read_capture({"trace.json", std::as_bytes(std::span(text))}, capture); !done)
    FAIL(done.error().text());
}

// An operator, a call in it and its kernel, by the number that the two know each other by.
struct Launch {
  std::string host, device, name;
  int number, call_us, kernel_us;
};
std::string text_of(const Launch& of) {
  return fmt::format(
      R"({{"ph":"X","cat":"cpu_op","name":"{0}","pid":{1},"tid":1,"ts":{2},"dur":4,"args":{{"External id":{3}}}}},
         {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":{1},"tid":1,"ts":{4},"dur":2,
           "args":{{"correlation":{5},"External id":{3}}}}},
         {{"ph":"X","cat":"kernel","name":"k","pid":{6},"tid":7,"ts":{7},"dur":5,"args":{{"correlation":{5},"External id":{3}}}}},)",
      of.name, of.host, of.call_us - 1, of.number + 1000, of.call_us, of.number, of.device, of.kernel_us);
}

// "DEVICE OPERATOR CALL" of each kernel.
Strings launches_in(const Capture& capture) {
  const DeviceAnalysis analysis = analyse_devices(capture);
  Strings texts;
  for (std::size_t i = 0; i < analysis.work.items.size(); ++i) {
    const WorkItem& item = analysis.work.items[i];
    const std::uint32_t of = analysis.operators.of_item[i];
    const auto& tracks = capture.profile.tracks;
    texts.push_back(fmt::format("{} {} {}", value_text(*analysis.work.device_of(item).number, capture.strings),
                                of == kNoId ? "-"
                                            : capture.strings.get(tracks[analysis.operators.all[of].track].events.name(
                                                  analysis.operators.all[of].event)),
                                item.call == kNoId ? -1 : analysis.work.calls[item.call].start_ns / 1000));
  }
  std::ranges::sort(texts);
  return texts;
}

TEST_CASE("work of ranks that were pasted into one file belongs to its own rank's calls", "[chrome]") {
  std::string events;
  for (int i = 0; i < 4; ++i) {
    // The second rank's call comes between the first one's call and kernel once.
    const int late = i == 2 ? 30 : 0;
    events += text_of({"4000", "0", "mm_rank0", i, 100 * i + 10, 100 * i + 20 + late});
    events += text_of({"5000", "1", "mm_rank1", i, 100 * i + 25, 100 * i + 60});
  }
  Capture capture;
  read(events, capture);
  Strings expected;
  for (int i = 0; i < 4; ++i) expected.push_back(fmt::format("0 mm_rank0 {}", 100 * i + 10));
  for (int i = 0; i < 4; ++i) expected.push_back(fmt::format("1 mm_rank1 {}", 100 * i + 25));
  std::ranges::sort(expected);
  CHECK(launches_in(capture) == expected);
  CHECK(capture.profile.flows.size() == 8);
}

TEST_CASE("a number that is used again belongs to the latest call before the work", "[chrome]") {
  Capture capture;
  read(text_of({"1", "0", "first", 7, 10, 20}) + text_of({"1", "0", "second", 7, 110, 120}), capture);
  CHECK(launches_in(capture) == Strings{"0 first 10", "0 second 110"});
}

TEST_CASE("labels of ranks before the numbers of processes make ranks", "[chrome]") {
  Capture capture;
  read(text_of({"\"[TP00] 4000\"", "\"[TP00] 0\"", "aten::mm", 1, 10, 20}) +
           text_of({"\"[TP01] 4000\"", "\"[TP01] 1\"", "aten::addmm", 1, 10, 20}) +
           R"({"ph":"s","id":1,"cat":"ac2g","name":"ac2g","pid":"[TP00] 4000","tid":1,"ts":10},
              {"ph":"f","id":1,"cat":"ac2g","name":"ac2g","pid":"[TP00] 0","tid":7,"ts":20,"bp":"e"},
              {"ph":"s","id":1,"cat":"ac2g","name":"ac2g","pid":"[TP01] 4000","tid":1,"ts":10},
              {"ph":"f","id":1,"cat":"ac2g","name":"ac2g","pid":"[TP01] 1","tid":7,"ts":20,"bp":"e"},)",
       capture);
  CHECK(launches_in(capture) == Strings{"0 aten::mm 10", "1 aten::addmm 10"});
  CHECK(capture.profile.flows.size() == 2);
  Strings ranks;
  for (const Track& track : capture.profile.tracks) {
    if (track.kind == TrackKind::kRank)
      ranks.push_back(
          fmt::format("{} {}", capture.strings.get(track.name), value_text(*track.number, capture.strings)));
  }
  CHECK(ranks == Strings{"TP00 0", "TP01 1"});
}

TEST_CASE("calls of every kind of device launch", "[chrome]") {
  for (const char* category : {"xpu_runtime", "xpu_driver", "privateuse1_runtime", "mtia_runtime", "cuda_driver"}) {
    std::string events = text_of({"1", "0", "aten::mm", 7, 10, 20});
    const std::string cuda = "cuda_runtime";
    events.replace(events.find(cuda), cuda.size(), category);
    Capture capture;
    read(events, capture);
    CHECK(launches_in(capture) == Strings{"0 aten::mm 10"});
  }
}

TEST_CASE("an arrow from an operator to work without a call tells the operator", "[chrome]") {
  Capture capture;
  read(R"({"ph":"M","name":"process_name","pid":8,"args":{"name":"Ascend Hardware"}},
          {"ph":"X","name":"aten::mm","cat":"cpu_op","pid":4,"tid":4,"ts":"100.0","dur":30},
          {"ph":"s","bp":"e","id":160,"name":"torch_to_npu","pid":4,"tid":4,"ts":"100.0","cat":"async_npu"},
          {"ph":"X","name":"MatMulV2","pid":8,"tid":3,"ts":"160.5","dur":21},
          {"ph":"f","bp":"e","id":160,"name":"torch_to_npu","pid":8,"tid":3,"ts":"160.5","cat":"async_npu"},)",
       capture);
  CHECK(launches_in(capture) == Strings{"8 aten::mm -1"});
}

Strings notes_of(const std::string& events) {
  Capture capture;
  read(events, capture);
  return capture.notes;
}

TEST_CASE("launches without kernels are told, but for those that a graph was captured of", "[chrome]") {
  const auto call = [](const char* name, int number) {
    return fmt::format(
        R"({{"ph":"X","cat":"cuda_runtime","name":"{}","pid":1,"tid":1,"ts":{},"dur":1,"args":{{"correlation":{}}}}},)",
        name, number, number);
  };
  const std::string whole = text_of({"1", "0", "aten::mm", 1, 10, 20});
  CHECK(notes_of(whole).empty());
  const Strings notes =
      notes_of(whole + call("cudaLaunchKernel", 100) + call("cudaLaunchKernelExC", 101) + call("cudaMemsetAsync", 102) +
               call("cudaStreamBeginCapture", 103) + call("cudaLaunchKernel", 104) + call("cudaStreamEndCapture", 105));
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("2 of 3 calls that launch a kernel have no kernel in the trace"));
}

TEST_CASE("a kernel in whose time others of its stream run is told", "[chrome]") {
  const auto kernel = [](const char* name, int ts, int duration) {
    return fmt::format(R"({{"ph":"X","cat":"kernel","name":"{}","pid":0,"tid":7,"ts":{},"dur":{}}},)", name, ts,
                       duration);
  };
  CHECK(notes_of(kernel("a", 1, 9) + kernel("b", 9, 9) + kernel("c", 18, 9)).empty());
  const Strings notes = notes_of(kernel("a", 1, 5) + kernel("long", 10, 100) + kernel("b", 20, 5) + kernel("c", 30, 5) +
                                 kernel("d", 105, 50));
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("while 'long' runs, for 100 us, 2 others of its stream begin and end") != std::string::npos);
}

}  // namespace
}  // namespace vizd::launches_test
