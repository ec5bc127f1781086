// What devices waited for, what launched their work and of which class it is, over HTTP.
#include "support/analysed_trace.h"
#include "support/catch.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::idle_routes_test {
namespace {

std::string flow_end(char kind, int id, int pid, int tid, int ts) {
  return fmt::format(R"({{"ph":"{}","cat":"ac2g","name":"ac2g","id":{},"pid":{},"tid":{},"ts":{}{}}},)", kind, id, pid,
                     tid, ts, kind == 'f' ? R"(,"bp":"e")" : "");
}

std::string call(int correlation, int ts) {
  return record("cuda_runtime", "cudaLaunchKernel", 1, 1, ts, 2, fmt::format(R"("correlation":{})", correlation)) +
         flow_end('s', correlation, 1, 1, ts);
}

// A thread that launches two kernels, late the second time, a collective and a copy; one that launches nothing.
std::string waiting_trace() {
  std::string events = record("python_function", "main.py(7): run", 1, 1, 0, 500, "");
  events += record("python_function", "nn.Module: Linear_0", 1, 1, 5, 95, "");
  events += record("cpu_op", "aten::mm", 1, 1, 10, 50, "");
  events += call(1, 20) + kernel("gemm", 7, 30, 40, R"("correlation":1)") + flow_end('f', 1, 0, 7, 30);
  events += record("cpu_op", "aten::copy_", 1, 1, 120, 100, "");
  events += call(2, 300) + kernel("gemm", 7, 310, 40, R"("correlation":2)") + flow_end('f', 2, 0, 7, 310);
  events += call(3, 304) + kernel("ncclDevKernel_AllReduce", 8, 355, 50, R"("correlation":3)");
  events += record("gpu_memcpy", "Memcpy HtoD", 0, 7, 460, 5, R"("device":0,"correlation":4)");
  events += record("cpu_op", "load", 1, 2, 0, 400, "");
  return R"({"deviceProperties":[{"id":0,"name":"Made-up 1"}],"traceEvents":[)" + events +
         R"({"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}}]})";
}

struct ServedTrace : ServedCapture {
  explicit ServedTrace(const TemporaryFolder& folder) : ServedCapture(folder / "trace.json") { loaded(); }
  nlohmann::json lane(std::string_view name) const {
    const nlohmann::json all = json("/api/v1/lanes")["lanes"];
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i]["name"] == name) return i;
    }
    return nullptr;
  }
};

TEST_CASE("lanes tell of which class their work is, and which of them launched it") {
  TemporaryFolder folder;
  folder.write("trace.json", waiting_trace());
  const ServedTrace served(folder);
  const nlohmann::json answer = served.json("/api/v1/lanes");
  const std::string classes = answer["name_classes"];
  REQUIRE(classes.size() == answer["names"].size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::string name = answer["names"][i];
    CHECK(classes[i] == (name == "gemm"               ? 'c'
                         : name.starts_with("nccl")   ? 'x'
                         : name.starts_with("Memcpy") ? 'm'
                                                      : '-'));
  }
  const nlohmann::json work = answer["work"];
  REQUIRE(work["lane"].size() == 2);
  CHECK(work["lane"][0] == served.lane("stream 7"));
  CHECK(work["compute_ns"] == nlohmann::json({80'000, 0}));
  CHECK(work["communication_ns"] == nlohmann::json({0, 50'000}));
  CHECK(work["memory_ns"] == nlohmann::json({5'000, 0}));
  CHECK(work["busy_ns"] == nlohmann::json({85'000, 50'000}));
  REQUIRE(answer["launches"]["lane"].size() == 1);
  CHECK(answer["launches"]["count"][0] == 3);
  const std::size_t launching = answer["launches"]["lane"][0];
  CHECK(answer["lanes"][launching]["events"] == 7);
}

TEST_CASE("a gap tells its cause, what ended it, the call of that and what the host was in") {
  TemporaryFolder folder;
  folder.write("trace.json", waiting_trace());
  const ServedTrace served(folder);
  const nlohmann::json gaps = served.json("/api/v1/idle");
  CHECK(gaps["total"] == 3);
  CHECK(gaps["from_ns"] == nlohmann::json({70'000, 350'000, 405'000}));
  CHECK(gaps["to_ns"] == nlohmann::json({310'000, 355'000, 460'000}));
  CHECK(gaps["cause"] == nlohmann::json({"host", "kernel", "other"}));
  CHECK(gaps["lane"][1] == served.lane("stream 8"));
  CHECK(served.json("/api/v1/idle?least_ns=10000")["from_ns"] == nlohmann::json({70'000, 405'000}));
  CHECK(served.json("/api/v1/idle?from=320000&to=360000")["from_ns"] == nlohmann::json({350'000}));
  const nlohmann::json longest = served.json("/api/v1/idle?limit=1");
  CHECK(longest["total"] == 3);
  CHECK(longest["from_ns"] == nlohmann::json({70'000}));

  const std::string stream = "/api/v1/idle/" + served.lane("stream 8").dump();
  const nlohmann::json gap = served.json(stream + "?at=100000")["gap"];  // of another stream of the same device
  CHECK(gap["device"] == "Made-up 1");
  CHECK(gap["cause"] == "host");
  CHECK(gap["ended_by"]["label"] == "gemm");
  CHECK(gap["call"]["label"] == "cudaLaunchKernel");
  CHECK(gap["call"]["start_ns"] == 300'000);
  CHECK(gap["host"]["label"] == "aten::copy_");
  CHECK(served.json(stream + "?at=50000")["gap"].is_null());
  const nlohmann::json unknown = served.json(stream + "?at=430000")["gap"];
  CHECK(unknown["cause"] == "other");
  CHECK(unknown["call"].is_null());
  CHECK(unknown["host"].is_null());
  CHECK(served.json("/api/v1/idle/0?at=100000")["gap"].is_null());
  CHECK(served.answer("/api/v1/idle/99?at=1").status == 404);
  CHECK(served.answer(stream).status == 400);
  CHECK(served.answer("/api/v1/idle?from=9&to=3").status == 400);
  CHECK(served.answer("/api/v1/idle?limit=0").status == 400);
}

TEST_CASE("a kernel tells the call, the operator, the module and the Python function that launched it") {
  TemporaryFolder folder;
  folder.write("trace.json", waiting_trace());
  const ServedTrace served(folder);
  const std::string stream = served.lane("stream 7").dump();
  const nlohmann::json frames = served.json("/api/v1/event/" + stream + "/0")["launched_in"];
  REQUIRE(frames.size() == 4);
  CHECK(frames[0]["event"]["label"] == "cudaLaunchKernel");
  CHECK(frames[0]["role"] == "call");
  CHECK(frames[1]["event"]["label"] == "aten::mm");
  CHECK(frames[1]["role"] == "operator");
  CHECK(frames[2]["event"]["label"] == "nn.Module: Linear_0");
  CHECK(frames[2]["category"] == "python_function");
  CHECK(frames[3]["event"]["label"] == "main.py(7): run");
  CHECK(frames[3]["forward"] == false);
  CHECK(served.json("/api/v1/event/" + stream + "/2")["launched_in"].empty());  // the copy, whose launch is not told
}

}  // namespace
}  // namespace vizd::idle_routes_test
