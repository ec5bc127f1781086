// A server's trace of three steps that replay a graph, with its capture beside it: for tests of commands, routes and
// answers. Times of records are microseconds.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/analysed_trace.h"
#include "support/temporary_folder.h"

namespace vizd::served_replays {

inline std::string trace(const std::string& events) {
  return R"({"deviceProperties":[{"id":0,"name":"AMD Instinct MI300X"}],"traceEvents":[)" + events +
         R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}]})";
}

// A launch of one kernel of an operator in a layer of the model, in a capture; microseconds.
inline std::string captured(int i, const std::string& operation, const std::string& kernel) {
  const int at = 100 + 20 * i;
  return record("python_function", "nn.Module: Net_0", 1, 1, at, 20, "") +
         record("python_function", fmt::format("nn.Module: DecoderLayer_{}", i / 2), 1, 1, at + 1, 18, "") +
         record("cpu_op", operation, 1, 1, at + 2, 16,
                R"("Input Dims":[[2,8],[8,4]],"Input type":["float","float"],"Concrete Inputs":["",""])") +
         record("cuda_runtime", "hipLaunchKernel", 1, 1, at + 4, 2,
                fmt::format(R"("correlation":{},"kernel":"{}")", 10 + i, kernel));
}

// Four kernels in two layers, captured for so many requests.
inline std::string captured_launches() {
  std::string events = record("cuda_runtime", "hipStreamBeginCapture", 1, 1, 90, 5, R"("correlation":1)");
  for (const int i : {0, 1, 2, 3})
    events += captured(i, i % 2 == 0 ? "aten::mm" : "aten::relu", i % 2 == 0 ? "gemm" : "relu");
  return trace(events + record("cuda_runtime", "hipStreamEndCapture", 1, 1, 300, 5, R"("correlation":2)"));
}

// A step of two requests that replays the graph; a piece of work of each of these names, 10 us each and 2 apart.
inline std::string step(int number, const std::vector<std::string>& names, int slow = 1) {
  const int at = 1000 * number;
  std::string events =
      record("user_annotation", "step[DECODE bs=2]", 1, 1, at, 50, "") +
      record("cuda_runtime", "hipGraphLaunch", 1, 1, at + 10, 20, fmt::format(R"("correlation":{})", 100 + number));
  for (std::size_t i = 0; i < names.size(); ++i)
    events += kernel(names[i], 7, at + 100 + 22 * static_cast<int>(i) * slow, 20 * slow,
                     fmt::format(R"("correlation":{})", 100 + number));
  return events;
}

// Three steps: as captured, twice as slow, and with the last record lost.
inline std::string served() {
  return trace(step(1, {"gemm", "relu", "gemm", "relu"}) + step(2, {"gemm", "relu", "gemm", "relu"}, 2) +
               step(3, {"gemm", "relu", "gemm"}));
}

// A folder with the trace, and the capture where it is found.
struct Served {
  Served() {
    std::filesystem::create_directory(folder / "capture_traces");
    folder.write("server.json", served());
    folder.write("capture_traces/bs_2_rank0.json", captured_launches());
    folder.write("capture_traces/execution_details.json", "{}");
  }
  std::string path() const { return folder / "server.json"; }
  TemporaryFolder folder;
};

}  // namespace vizd::served_replays
