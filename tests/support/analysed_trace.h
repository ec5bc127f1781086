// A small trace of PyTorch's profiler, written in a test, and what its devices did. Times of records are microseconds.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/device_analysis.h"
#include "analysis/devices/kernel_table.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "timeline/timeline.h"

namespace vizd {

inline std::string record(std::string_view category, std::string_view name, int pid, int tid, int ts, int dur,
                          const std::string& args) {
  return fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}},)",
                     category, name, pid, tid, ts, dur, args);
}

inline std::string kernel(std::string_view name, int stream, int ts, int dur, const std::string& args) {
  return record("kernel", name, 0, stream, ts, dur, R"("device":0)" + (args.empty() ? "" : "," + args));
}

struct Analysed {
  explicit Analysed(const std::string& events,
                    std::string_view devices = R"({"id":0,"name":"NVIDIA H100 80GB HBM3"})") {
    const std::string text = fmt::format(R"({{"deviceProperties":[{}],"traceEvents":[)", devices) + events +
                             R"({"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}}]})";
    REQUIRE(read_capture({"trace.json", std::as_bytes(std::span(text))}, capture));
    timeline = prepare_timeline(capture, 1);
    analysis = analyse_devices(capture);
  }
  std::vector<KernelRow> rows(const KernelChoice& choice = {}) const {
    return make_kernel_table(capture, analysis.work, analysis.operators, analysis.figures, DevicePeaks(), choice);
  }
  const KernelRow& row(const std::vector<KernelRow>& all, std::string_view key) const {
    const auto found = std::ranges::find_if(all, [&](const KernelRow& r) { return r.key == key; });
    REQUIRE(found != all.end());
    return *found;
  }

  Capture capture;
  Timeline timeline;
  DeviceAnalysis analysis;
};

}  // namespace vizd
