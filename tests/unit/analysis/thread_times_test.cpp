// Where the time of a host's threads went: each alone, all of a rank together, and while one computed alone.
#include "analysis/devices/thread_times.h"

#include "support/analysed_trace.h"
#include "support/catch.h"

namespace vizd::thread_times_test {
namespace {

std::string on(int thread, std::string_view category, std::string_view name, int ts, int dur) {
  return record(category, name, 100, thread, ts, dur, "");
}

std::vector<ThreadTime> times_of(const std::string& events, const WorkScope& scope = {}) {
  const Analysed trace(events);
  return make_thread_times(trace.capture, scope);
}

std::string text_of(const ThreadTime& time) {
  return fmt::format("span {} compute {} load {} collect {} other {} communicate {} wait {} idle {}", time.span_ns(),
                     time.of(Doing::kComputing), time.of(Doing::kLoading), time.of(Doing::kCollecting),
                     time.of(Doing::kOther), time.of(Doing::kCommunicating), time.of(Doing::kWaiting), time.idle_ns());
}

}  // namespace

TEST_CASE(
    "a thread does what the innermost of its events does, and what loads or communicates does so with all it calls") {
  const auto times = times_of(
      on(1, "user_annotation", "ProfilerStep#1", 0, 1000) + on(1, "python_function", "train.py(3): step", 0, 500) +
      on(1, "user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 100) +
      on(1, "cpu_op", "aten::stack", 20, 30) + on(1, "cpu_op", "aten::linear", 100, 200) +
      on(1, "cpu_op", "aten::mm", 110, 100) + on(1, "cpu_op", "c10d::allreduce_", 300, 50) +
      on(1, "cpu_op", "aten::mul", 310, 10) +
      on(1, "python_function", "<built-in method acquire of _thread.lock object at 0x7f>", 400, 60) +
      on(1, "python_function", "<built-in function collect>", 470, 20));
  REQUIRE(times.size() == 2);
  CHECK(text_of(times[1]) ==
        "span 500000 compute 200000 load 100000 collect 20000 other 70000 communicate 50000 wait 60000 idle 0");
  CHECK(text_of(times[0]) == text_of(times[1]));
  CHECK(!times[0].alone_ns);
  CHECK(times[0].threads_at_work == (200 + 100 + 20 + 70) / 500.0);
}

TEST_CASE("threads together do the first of what any does, and one computes alone while no other computes") {
  const auto times =
      times_of(on(1, "cpu_op", "aten::mm", 0, 100) + on(2, "user_annotation", "gloo:all_reduce", 50, 100) +
               on(3, "cpu_op", "aten::add", 80, 40) + on(1, "cpu_op", "aten::mul", 200, 10));
  REQUIRE(times.size() == 4);
  CHECK(text_of(times[0]) == "span 210000 compute 130000 load 0 collect 0 other 0 communicate 30000 wait 0 idle 50000");
  CHECK(times[0].alone_ns == 80'000 + 20'000 + 10'000);
  CHECK(times[0].threads_at_work == (100 + 40 + 10) / 210.0);
  CHECK(times[1].alone_ns == 90'000);
  CHECK(times[2].alone_ns == 0);
  CHECK(times[3].alone_ns == 20'000);
  CHECK(text_of(times[1]) == "span 210000 compute 110000 load 0 collect 0 other 0 communicate 0 wait 0 idle 100000");
}

TEST_CASE("threads are cut to a range, and events that overlap without lying in one another count once") {
  const std::string events = on(1, "cpu_op", "aten::mm", 0, 100) + on(1, "cpu_op", "aten::add", 60, 100);
  CHECK(text_of(times_of(events)[1]) ==
        "span 160000 compute 160000 load 0 collect 0 other 0 communicate 0 wait 0 idle 0");
  const auto cut = times_of(events, {.from_ns = 20'000, .to_ns = 50'000});
  CHECK(text_of(cut[1]) == "span 30000 compute 30000 load 0 collect 0 other 0 communicate 0 wait 0 idle 0");
  CHECK(times_of(events, {.from_ns = 160'000}).empty());
}

TEST_CASE("devices, the profiler's own span and steps are no threads at work") {
  CHECK(times_of(kernel("k", 7, 0, 10, "") + record("Trace", "PyTorch Profiler (0)", 1, 1, 0, 100, "") +
                 on(1, "user_annotation", "ProfilerStep#1", 0, 100))
            .empty());
}

}  // namespace vizd::thread_times_test
