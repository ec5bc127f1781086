// Devices that a trace names, and the steps and launches beside them.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/devices/device_analysis.h"
#include "analysis/recorded/recordable.h"
#include "formats/registry.h"
#include "formats/trace_devices.h"
#include "model/argument_json.h"
#include "support/catch.h"

namespace vizd::named_devices_test {
namespace {

using Strings = std::vector<std::string>;

void read(std::string_view text, Capture& capture) {
  if (const auto done = read_capture({"trace.json", std::as_bytes(std::span(text))}, capture); !done)
    FAIL(done.error().text());
}

std::string named(const char* pid, const char* name, const char* label = "") {
  std::string text = fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}},)", pid, name);
  if (*label != '\0')
    text += fmt::format(R"({{"ph":"M","name":"process_labels","pid":{},"args":{{"labels":"{}"}}}},)", pid, label);
  return text;
}
std::string thread(const char* pid, int tid, const char* name) {
  return fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}},)", pid, tid, name);
}
std::string slice(const char* pid, int tid, const char* name, int ts, const char* more = "") {
  return fmt::format(R"({{"ph":"X","name":"{}","pid":{},"tid":{},"ts":{},"dur":5{}}},)", name, pid, tid, ts, more);
}

// "DEVICE/STREAM NAME", with " copy" or " exchange" where it is that, of all work, sorted.
Strings work_in(const Capture& capture) {
  Strings texts;
  const DeviceWork work = find_work_of_ranks(capture);
  for (const WorkItem& item : work.items) {
    const WorkStream& stream = work.streams[item.stream];
    const auto text = [&](const FileValue& value) { return value ? value_text(*value, capture.strings) : "-"; };
    texts.push_back(fmt::format("{}/{} {}{}{}", text(work.devices[stream.device].number), text(stream.number),
                                capture.strings.get(capture.profile.tracks[item.track].events.name(item.event)),
                                item.work == EventRole::kKernel ? "" : " copy",
                                item.is_communication ? " exchange" : ""));
  }
  std::ranges::sort(texts);
  return texts;
}

// The work of the trace, and of the trace kept in vizd's own format.
Strings work_of(const std::string& events) {
  Capture capture, again;
  read("{\"traceEvents\":[" + events + "{}]}", capture);
  const Strings work = work_in(capture);
  for (const Format* const format : formats()) {
    if (format->name != "vizd") continue;
    std::string bytes;
    format->writer->write(capture, {}, [&](std::string_view part) { bytes += part; });
    read(bytes, again);
    CHECK(work_in(again) == work);
  }
  return work;
}

TEST_CASE("a process that is named or labelled as a device is one", "[chrome]") {
  CHECK(work_of(named("5", "python", "GPU 3") + slice("5", 1, "k", 1)) == Strings{"3/1 k"});
  CHECK(work_of(named("6", "gpu/0") + named("1", "cpu/0") + slice("6", 9, "k", 1) + slice("1", 9, "h", 1)) ==
        Strings{"0/9 k"});
  CHECK(work_of(named("6", "7 GPU2") + named("4", "2 COPY") + slice("6", 0, "k", 1) + slice("4", 0, "x", 1)) ==
        Strings{"2/0 k", "2/0 x copy"});
  // With several devices, the device of the copies is unknown, whatever number their process has.
  CHECK(work_of(named("6", "7 GPU2") + named("7", "8 GPU3") + named("3", "2 COPY") + slice("6", 0, "k", 1) +
                slice("7", 0, "l", 1) + slice("3", 0, "x", 1)) == Strings{"-/0 x copy", "2/0 k", "3/0 l"});
  CHECK(work_of(named("9", "DEVICE<a.py>[Some XPU]") + slice("9", 1, "zeCommandListAppendMemoryCopy(M2D)", 1) +
                slice("9", 1, "zeCommandListAppendBarrier", 9) + slice("9", 1, "k", 20)) ==
        Strings{"9/1 k", "9/1 zeCommandListAppendMemoryCopy(M2D) copy"});
  CHECK(work_of(slice("\"CUDA functions\"", 1, "mm", 1) + slice("\"CPU functions\"", 1, "mm", 1)) ==
        Strings{"CUDA functions/1 mm"});
  CHECK(work_of(named("9", "CPU", "CPU") + slice("9", 1, "k", 20)).empty());
}

TEST_CASE("a process is the same by its number and by the text of it", "[chrome]") {
  Capture capture;
  read("[" + named("6", "6 GPU0") + named("2", "2 CPU HIP API") + slice("\"2\"", 7, "hipLaunchKernel", 1) +
           R"({"ph":"s","id":1,"cat":"DataFlow","name":"dep","pid":2,"tid":7,"ts":2},
              {"ph":"t","id":1,"cat":"DataFlow","name":"dep","pid":6,"tid":0,"ts":9},
              {"ph":"X","pid":"6","tid":"0","name":"k","ts":"9","dur":"5"},{}])",
       capture);
  CHECK(work_in(capture) == Strings{"0/0 k"});
  CHECK(capture.profile.flows.size() == 1);
}

TEST_CASE("of a begin and an end on a device the span is work", "[chrome]") {
  CHECK(work_of(named("6", "gpu/1") +
                R"({"ph":"B","name":"k","pid":6,"tid":1,"ts":1},{"ph":"E","name":"k","pid":6,"tid":1,"ts":4},)") ==
        Strings{"1/1 k"});
}

TEST_CASE("what sums up a device's streams is not counted once more", "[chrome]") {
  CHECK(work_of(named("1", "/device:GPU:1") + thread("1", 20, "Stream #20(Compute)") + thread("1", 9, "XLA Ops") +
                slice("1", 20, "k", 1) + slice("1", 9, "k", 1)) == Strings{"1/20 k"});
  CHECK(work_of(named("1", "/device:TPU:0") + thread("1", 3, "XLA Ops") + thread("1", 2, "XLA Modules") +
                slice("1", 3, "fusion.1", 1) + slice("1", 3, "while.2", 1, R"(,"args":{"hlo_category":"while"})") +
                slice("1", 3, "x.7", 9, R"(,"args":{"hlo_category":"all-gather"})") + slice("1", 2, "jit_f(1)", 1)) ==
        Strings{"0/3 fusion.1", "0/3 x.7 exchange"});
  CHECK(work_of(named("3", "/device:GPU:0/stream:all Compute") + named("4", "/device:GPU:0/memcpy Compute") +
                named("5", "/job:w/device:GPU:0 Compute") + slice("3", 0, "k", 1) + slice("4", 0, "m", 1) +
                slice("5", 0, "k", 1)) == Strings{"0/0 k", "0/0 m copy"});
  CHECK(work_of(named("3", "/device:GPU:0/stream:all Compute") + named("4", "/device:GPU:0/stream:22 Compute") +
                slice("3", 0, "k", 1) + slice("4", 0, "k", 1)) == Strings{"0/0 k"});
  CHECK(work_of(named("8", "Ascend Hardware", "NPU") + named("9", "Overlap Analysis", "NPU") +
                thread("8", 3, "Stream 3") + slice("8", 3, "MatMulV2", 1) + slice("8", 3, "hcom_allGather__2", 9) +
                slice("9", 0, "Computing", 1)) == Strings{"8/3 MatMulV2", "8/3 hcom_allGather__2 exchange"});
}

TEST_CASE("events that say by their category what they are say it alone", "[chrome]") {
  CHECK(work_of(named("0", "python", "GPU 0") + slice("0", 7, "k", 1, R"(,"cat":"kernel")") +
                slice("0", 7, "other", 9)) == Strings{"0/7 k"});
}

TEST_CASE("kernels of no process have the stream of their argument, and the operator of that name", "[chrome]") {
  const std::string events = slice("4", 4, "MatMul_3_kernel_time", 1, R"(,"cat":"Node","args":{"op_name":"MatMul"})") +
                             slice("-1", -1, "gemm", 3, R"(,"cat":"Kernel","args":{"stream":"7","op_name":"MatMul"})") +
                             slice("-1", -1, "gemm", 9, R"(,"cat":"Kernel","args":{"stream":"8","op_name":"MatMul"})");
  CHECK(work_of(events) == Strings{"-/7 gemm", "-/8 gemm"});
  Capture capture;
  read("[" + events + "{}]", capture);
  const DeviceAnalysis analysis = analyse_devices(capture);
  CHECK(analysis.operators.all.size() == 1);
  std::string written;
  for (const Format* const format : formats()) {
    if (format->name == "chrome") format->writer->write(capture, {}, [&](std::string_view part) { written += part; });
  }
  CHECK(written.find(R"("pid":-1,"tid":-1)") != std::string::npos);
}

TEST_CASE("Paddle's names come without their durations, and are written with them", "[chrome]") {
  const char* kEvent =
      R"({"ph":"X","name":"k[0.120 ms]","cat":"Kernel","pid":0,"tid":7,"ts":1,"dur":120,"args":{"correlation id":1,"end_time":"1 us"}})";
  Capture capture;
  read(
      fmt::format(
          R"([{},{{"ph":"X","name":"ProfileStep#3[1 ms]","pid":1,"tid":1,"ts":0,"dur":9,"args":{{"end_time":""}}}},)"
          R"({{"ph":"X","name":"launch","cat":"CudaRuntime","pid":1,"tid":1,"ts":0,"dur":1,"args":{{"correlation id":1}}}}])",
          kEvent),
      capture);
  CHECK(work_in(capture) == Strings{"0/7 k"});
  CHECK(capture.profile.flows.size() == 1);
  REQUIRE(capture.profile.runs.size() == 1);
  CHECK(capture.profile.runs[0].number == 3);
  std::string written;
  for (const Format* const format : formats()) {
    if (format->name == "chrome") format->writer->write(capture, {}, [&](std::string_view part) { written += part; });
  }
  CHECK(written.find(R"("name":"k[0.120 ms]")") != std::string::npos);
}

TEST_CASE("XLA's line of steps makes runs", "[chrome]") {
  Capture capture;
  read("[" + named("1", "/device:TPU:0") + named("2", "/device:TPU:1") + thread("1", 1, "Steps") +
           thread("2", 1, "Steps") + slice("1", 1, "7", 1) + slice("2", 1, "7", 2) + slice("1", 1, "8", 10) + "{}]",
       capture);
  Strings runs;
  for (const Run& run : capture.profile.runs) runs.push_back(fmt::format("{} {}", run.number, run.from_ns));
  CHECK(runs == Strings{"7 1000", "8 10000"});
}

TEST_CASE("who has rows that look like a device's is told so", "[chrome]") {
  Capture capture;
  read("[" + named("1", "Big Accelerator 2") + slice("1", 1, "k", 1) + "{}]", capture);
  CHECK(not_recorded(capture, Recordable::kDeviceWork).why.find("'Big Accelerator 2 1' looks like a device") == 0);
  Capture host;
  read("[" + named("1", "gpustat") + slice("1", 1, "k", 1) + "{}]", host);
  CHECK(not_recorded(host, Recordable::kDeviceWork).why.find("looks like") == std::string::npos);
}

}  // namespace
}  // namespace vizd::named_devices_test
