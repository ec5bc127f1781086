// What held up the end, of small traces whose paths are found by hand.
#include "analysis/devices/critical_path.h"

#include "support/analysed_trace.h"

namespace vizd::critical_path_test {
namespace {

std::string call(std::string_view name, int thread, int ts, int dur, int correlation) {
  return record("cuda_runtime", name, 1, thread, ts, dur, fmt::format(R"("correlation":{})", correlation));
}

// "kind name from to", in microseconds.
std::vector<std::string> drawn(const Analysed& trace, const WorkScope& scope = {}) {
  const auto paths = find_critical_paths(trace.capture, trace.analysis.work, scope);
  REQUIRE(paths.size() == 1);
  std::vector<std::string> lines;
  std::int64_t at_ns = paths[0].from_ns;
  for (const PathPart& part : paths[0].parts) {
    CHECK(part.from_ns == at_ns);  // without gap or overlap
    at_ns = part.to_ns;
    const bool is_told = part.event != kNoId && part.kind != PathKind::kBetween;
    const EventColumns& events = trace.capture.profile.tracks[part.track].events;
    lines.push_back(fmt::format("{} {} {} {}", path_kind_name(part.kind),
                                is_told ? trace.capture.strings.get(events.name(part.event)) : "-", part.from_ns / 1000,
                                part.to_ns / 1000));
  }
  CHECK(at_ns == paths[0].to_ns);
  std::int64_t shared_ns = 0;
  for (const PathShare& share : path_shares(trace.capture, paths[0])) shared_ns += share.total_ns;
  CHECK(shared_ns == paths[0].to_ns - paths[0].from_ns);
  return lines;
}

TEST_CASE("work that waits in the queue is held up by the work before it") {
  const Analysed trace(record("user_annotation", "ProfilerStep#2", 1, 1, 0, 20, "") +
                       record("cpu_op", "aten::one", 1, 1, 0, 2, "") + call("cudaLaunchKernel", 1, 5, 5, 1) +
                       call("cudaLaunchKernel", 1, 12, 5, 2) + kernel("a", 7, 15, 50, R"("correlation":1)") +
                       kernel("b", 7, 67, 10, R"("correlation":2)"));
  CHECK(drawn(trace) == std::vector<std::string>{"host aten::one 0 2", "host - 2 5", "launch cudaLaunchKernel 5 15",
                                                 "device a 15 65", "between kernels - 65 67", "device b 67 77"});
}

TEST_CASE("work launched late is held up by the host, and what that waited for before") {
  const Analysed trace(call("cudaLaunchKernel", 1, 0, 5, 1) + kernel("a", 7, 10, 30, R"("correlation":1)") +
                       call("cudaDeviceSynchronize", 1, 6, 36, 2) + record("cpu_op", "aten::item", 1, 1, 44, 40, "") +
                       call("cudaLaunchKernel", 1, 70, 5, 3) + kernel("b", 7, 80, 10, R"("correlation":3)"));
  CHECK(drawn(trace) == std::vector<std::string>{"launch cudaLaunchKernel 0 10", "device a 10 40",
                                                 "host cudaDeviceSynchronize 40 42", "host - 42 44",
                                                 "host aten::item 44 70", "launch cudaLaunchKernel 70 80",
                                                 "device b 80 90"});
}

TEST_CASE("work long after its launch is held up by another stream that ended just before") {
  const Analysed trace(call("cudaLaunchKernel", 1, 0, 5, 1) + call("cudaLaunchKernel", 1, 6, 4, 2) +
                       kernel("compute", 7, 10, 100, R"("correlation":1)") +
                       kernel("ncclKernel_AllReduce", 8, 115, 20, R"("correlation":2)"));
  CHECK(drawn(trace) == std::vector<std::string>{"launch cudaLaunchKernel 0 10", "device compute 10 110",
                                                 "between kernels - 110 115", "device ncclKernel_AllReduce 115 135"});
}

TEST_CASE("before a thread that rested, the path is with the thread that acted") {
  const Analysed trace(record("cpu_op", "forward", 1, 1, 0, 20, "") + record("cpu_op", "backward", 1, 2, 25, 100, "") +
                       call("cudaLaunchKernel", 1, 130, 5, 1) + kernel("k", 7, 140, 10, R"("correlation":1)"));
  CHECK(drawn(trace) == std::vector<std::string>{"host forward 0 20", "host - 20 25", "host backward 25 125",
                                                 "host - 125 130", "launch cudaLaunchKernel 130 140",
                                                 "device k 140 150"});
}

TEST_CASE("a path is of a step where one is named") {
  const Analysed trace(record("user_annotation", "ProfilerStep#1", 1, 1, 0, 50, "") +
                       record("user_annotation", "ProfilerStep#2", 1, 1, 50, 50, "") + kernel("a", 7, 10, 20, "") +
                       kernel("b", 7, 60, 20, ""));
  CHECK(drawn(trace, {.step = 1}) == std::vector<std::string>{"device a 10 30"});
  CHECK(drawn(trace, {.step = 2}).back() == "device b 60 80");
  CHECK(find_critical_paths(trace.capture, trace.analysis.work, {.step = 3}).empty());
}

TEST_CASE("a path of a range ends and begins with it, and of a kernel ends with that") {
  const Analysed trace(call("cudaLaunchKernel", 1, 0, 5, 1) + call("cudaLaunchKernel", 1, 6, 4, 2) +
                       kernel("a", 7, 10, 100, R"("correlation":1)") + kernel("b", 7, 112, 20, R"("correlation":2)"));
  CHECK(drawn(trace, {.from_ns = 50'000, .to_ns = 120'000}) ==
        std::vector<std::string>{"device a 50 110", "between kernels - 110 112", "device b 112 120"});
  CHECK(drawn(trace, {.kernel = "a"}) == std::vector<std::string>{"launch cudaLaunchKernel 0 10", "device a 10 110"});
  CHECK(find_critical_paths(trace.capture, trace.analysis.work, {.rank = "1"}).empty());
}

TEST_CASE("work without length, or of equal times, ends a path too") {
  std::string events;
  for (int i = 0; i < 40; ++i) events += kernel("k", i % 3, 10, 0, "");
  for (int i = 0; i < 40; ++i) events += kernel("k", i % 3, 10, 5, "");
  const Analysed trace(events);
  const auto paths = find_critical_paths(trace.capture, trace.analysis.work);
  REQUIRE(paths.size() == 1);
  CHECK(paths[0].to_ns - paths[0].from_ns == 5'000);
}

}  // namespace
}  // namespace vizd::critical_path_test
