// What devices did, of a small trace whose figures are worked out by hand.
#include "analysis/devices/comparison_verdict.h"
#include "analysis/devices/device_breakdown.h"
#include "analysis/devices/kernel_comparison.h"
#include "analysis/devices/kernel_table.h"
#include "reference/inductor/estimates.h"
#include "support/analysed_trace.h"
#include "support/catch.h"

namespace vizd::device_analysis_test {
namespace {

// An addmm that launches two kernels, a collective beside the second, a copy after a long gap, and a kernel of no
// operator. Microseconds.
const std::string kEvents =
    record(
        "cpu_op", "aten::addmm", 100, 100, 0, 50,
        R"("External id":1,"Input Dims":[[128],[5,128],[128,128],[],[]],"Input type":["float","float","float","Scalar","Scalar"],"Concrete Inputs":["","","","1","1"])") +
    record("cpu_op", "aten::empty", 100, 100, 5, 2, R"("External id":2)") +
    record("cuda_runtime", "cudaLaunchKernel", 100, 100, 10, 5, R"("correlation":11)") +
    record("cuda_runtime", "cudaLaunchKernel", 100, 100, 20, 5, R"("correlation":12)") +
    record("cuda_runtime", "cudaMemcpyAsync", 100, 100, 300, 5, R"("correlation":13)") +
    kernel("copy_kernel", 7, 30, 10, R"("correlation":11,"External id":1)") +
    kernel("gemm_bf16", 7, 45, 30, R"("correlation":12,"External id":1)") +
    kernel("ncclKernel_AllReduce", 8, 60, 40, R"("correlation":99)") +
    record("gpu_memcpy", "Memcpy HtoD", 0, 7, 310, 20, R"("device":0,"bytes":4096,"correlation":13,"External id":77)") +
    record("kernel", "late", 0, 7, 340, 10, R"("device":0)");

TEST_CASE("an operator's work is split over its kernels by their time") {
  const Analysed trace(kEvents);
  const auto rows = trace.rows();
  REQUIRE(rows.size() == 5);
  const double flop = 2.0 * 5 * 128 * 128;
  CHECK(trace.row(rows, "copy_kernel").flop.amount() == flop / 4);
  CHECK(trace.row(rows, "gemm_bf16").flop.amount() == flop * 3 / 4);
  CHECK_FALSE(trace.row(rows, "ncclKernel_AllReduce").flop.amount());
  CHECK(trace.row(rows, "ncclKernel_AllReduce").is_communication);
  CHECK_FALSE(trace.row(rows, "late").flop.amount());
  CHECK(trace.row(rows, "Memcpy HtoD").bytes_copied == 4096);
  CHECK(trace.row(rows, "Memcpy HtoD").work == EventRole::kMemcpy);
  CHECK(trace.row(rows, "gemm_bf16").time_percent == 100 * 30'000.0 / 110'000);
  CHECK(trace.row(rows, "gemm_bf16").peak_flops == 67e12);  // its inputs are floats
  CHECK(trace.row(rows, "gemm_bf16").bound() == "memory");
}

TEST_CASE("operators have their calls, and what no operator launched is told apart") {
  const Analysed trace(kEvents);
  const auto rows = trace.rows({.group = KernelGroup::kOperator});
  REQUIRE(rows.size() == 2);
  const KernelRow& addmm = trace.row(rows, "aten::addmm");
  REQUIRE(addmm.calls);
  CHECK(addmm.calls->launches == 1);
  CHECK(addmm.calls->median_ns == 40'000);
  CHECK(addmm.durations.launches == 2);
  CHECK(addmm.flop.amount() == 2.0 * 5 * 128 * 128);
  const auto unknown = std::ranges::find_if(rows, [](const KernelRow& r) { return !r.key; });
  REQUIRE(unknown != rows.end());
  CHECK(unknown->durations.launches == 3);
  CHECK_FALSE(unknown->calls);
}

TEST_CASE("launches of a thread that the profiler could not place are the one open operator's, and told so") {
  const auto thread = [](int tid, std::string_view name) {
    return fmt::format(R"({{"ph":"M","name":"thread_name","pid":100,"tid":{},"args":{{"name":"{}"}}}},)", tid, name);
  };
  const auto launch = [](int at, int number) {
    return record("cuda_runtime", "cudaLaunchKernel", 100, 900, at, 2, fmt::format(R"("correlation":{})", number)) +
           kernel(fmt::format("k{}", number), 7, 1000 + 10 * number, 5, fmt::format(R"("correlation":{})", number));
  };
  const std::string operators =
      record("cpu_op", "aten::mm", 100, 1, 0, 100, "") + record("cpu_op", "aten::inner", 100, 1, 40, 20, "") +
      record("cpu_op", "aten::add", 100, 2, 80, 60, "") + record("cpu_op", "aten::other", 200, 3, 0, 300, "");
  // Within one, within another that it holds, within two threads' at once, within the second's, and within none.
  const std::string launches = launch(10, 1) + launch(50, 2) + launch(90, 3) + launch(120, 4) + launch(200, 5);
  const Analysed trace(thread(900, "thread -900") + operators + launches);
  const auto operator_of = [](const Analysed& of, std::size_t item) -> std::string {
    const std::uint32_t place = of.analysis.operators.of_item[item];
    if (place == kNoId) return "";
    const ProfileEvent& event = of.analysis.operators.all[place];
    return std::string(of.capture.strings.get(of.capture.profile.tracks[event.track].events.name(event.event)));
  };
  const std::vector<std::string> expected{"aten::mm", "aten::inner", "", "aten::add", ""};
  for (std::size_t item = 0; item < expected.size(); ++item) {
    CHECK(operator_of(trace, item) == expected[item]);
    CHECK(trace.analysis.operators.by_time_of_item[item] == (expected[item].empty() ? 0 : 1));
  }
  const auto rows = trace.rows({.group = KernelGroup::kOperator});
  CHECK(trace.row(rows, "aten::mm").by_time == 1);
  CHECK(std::ranges::count(rows, 0, &KernelRow::by_time) == 1);  // of no operator
  // A thread that is known, and has no operator, launched for none.
  const Analysed placed(thread(900, "thread 900") + operators + launches);
  for (std::size_t item = 0; item < expected.size(); ++item) CHECK(operator_of(placed, item).empty());
}

TEST_CASE("rows are by family, category and stream too, and hold what is asked for alone") {
  const Analysed trace(kEvents);
  CHECK(trace.row(trace.rows({.group = KernelGroup::kCategory}), "GEMM").durations.total_ns == 30'000);
  CHECK(trace.row(trace.rows({.group = KernelGroup::kStream}), "7").durations.launches == 4);
  CHECK(trace.rows({.text = "GEMM"}).size() == 1);
  CHECK(trace.rows({.category = "communication"}).size() == 1);
  CHECK(trace.rows({.kernel = "gemm"}).empty());
  const auto gemm = trace.rows({.kernel = "gemm_bf16"});
  REQUIRE(gemm.size() == 1);
  CHECK(gemm[0].time_percent == 100 * 30'000.0 / 110'000);  // of all work of its device
}

TEST_CASE("a device's time is divided without rest") {
  const Analysed trace(kEvents);
  const auto rows = make_breakdowns(trace.analysis.work, {});
  REQUIRE(rows.size() == 3);  // the device, and two streams
  const DeviceBreakdown& b = rows[0];
  CHECK(b.span_ns() == 320'000);
  CHECK(b.busy_ns == 10'000 + 55'000 + 20'000 + 10'000);
  CHECK(b.compute_ns == 50'000);
  CHECK(b.communication_ns == 40'000);
  CHECK(b.overlap_ns == 15'000);
  CHECK(b.exposed_communication_ns == 25'000);
  CHECK(b.exposed_memory_ns == 20'000);
  CHECK(b.busy_ns == b.compute_ns + b.exposed_communication_ns + b.exposed_memory_ns);
  CHECK(b.gaps == 3);
  CHECK(b.idle_host_ns == 210'000);           // the copy's call began after all was done
  CHECK(b.idle_kernel_ns == 5'000 + 10'000);  // 5 us before the gemm, 10 us before the last, which has no call
  CHECK(b.idle_other_ns == 0);
  CHECK(b.idle_ns() == b.idle_host_ns + b.idle_kernel_ns + b.idle_other_ns);
  CHECK(b.queue_max == 2);
  CHECK(b.queue_integral_ns == 20'000 + 25'000 + 10'000);
  const auto gaps = longest_of(find_gaps(trace.analysis.work, {})[0], 2);
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[0].to_ns - gaps[0].from_ns == 210'000);
  CHECK(gaps[0].cause == IdleCause::kHost);
}

TEST_CASE("where external ids are correlations again, the enclosing operator is the work's") {
  const Analysed trace(record("cpu_op", "aten::outer", 1, 1, 0, 100, R"("External id":5)") +
                       record("cpu_op", "aten::inner", 1, 1, 10, 20, R"("External id":6)") +
                       record("cuda_runtime", "cudaLaunchKernel", 1, 1, 15, 2, R"("correlation":5,"External id":5)") +
                       kernel("k", 7, 50, 10, R"("correlation":5,"External id":5)"));
  REQUIRE(trace.analysis.operators.all.size() == 1);
  const ProfileEvent& op = trace.analysis.operators.all[0];
  CHECK(trace.capture.strings.get(trace.capture.profile.tracks[op.track].events.name(op.event)) == "aten::inner");
}

TEST_CASE("two profiles are joined by name, and what came and went is told") {
  const Analysed a(kEvents);
  const Analysed b(kernel("gemm_bf16", 7, 0, 60, "") + kernel("gemm_bf16", 7, 100, 60, "") +
                   kernel("new_kernel", 7, 200, 1, ""));
  const auto rows = compare_kernels({a.capture, a.analysis.work, a.analysis.operators},
                                    {b.capture, b.analysis.work, b.analysis.operators}, KernelJoin::kName);
  REQUIRE(rows.size() == 6);
  CHECK(rows[0].name == "gemm_bf16");
  CHECK(rows[0].delta_total_ns() == 90'000);
  CHECK(rows[0].total_ratio() == 4);
  CHECK(rows[0].state() == "both");
  CHECK_FALSE(rows[0].median_change_ns);  // too few launches to tell
  CHECK(std::ranges::count(rows, "removed", &ComparedKernel::state) == 4);
  CHECK(std::ranges::count(rows, "added", &ComparedKernel::state) == 1);
}

TEST_CASE("a median's change lies in a range that many equal launches make narrow") {
  std::string before, after;
  for (int i = 0; i < 50; ++i) {
    before += kernel("k", 7, 100 * i, 10 + i % 3, "");
    after += kernel("k", 7, 100 * i, 20 + i % 3, "");
  }
  const Analysed a(before), b(after);
  const auto rows = compare_kernels({a.capture, a.analysis.work, a.analysis.operators},
                                    {b.capture, b.analysis.work, b.analysis.operators}, KernelJoin::kName);
  REQUIRE(rows.size() == 1);
  REQUIRE(rows[0].median_change_ns);
  CHECK(rows[0].median_change_ns->first >= 9'000);
  CHECK(rows[0].median_change_ns->second <= 11'000);
}

ComparedProfile compared(const Analysed& trace) {
  return {trace.capture, trace.analysis.work, trace.analysis.operators};
}

JudgedSide judged(const Analysed& trace) { return {trace.capture, trace.analysis.work}; }

// So many steps of a millisecond and more, with a kernel of so many microseconds in each.
std::string steps_with_kernel(int steps, int kernel_us) {
  std::string events;
  for (int i = 0; i < steps; ++i) {
    const int dur_us = 1000 + kernel_us + i % 3;
    events += record("user_annotation", fmt::format("ProfilerStep#{}", i), 1, 1, 3000 * i, dur_us, "");
    events += kernel("k", 7, 3000 * i + 10, kernel_us, "") + kernel("other", 7, 3000 * i + 900, 50, "");
  }
  return events;
}

TEST_CASE("a comparison is judged by its median steps, and says which class and which rows made the change") {
  const Analysed a(steps_with_kernel(8, 100)), b(steps_with_kernel(6, 300));
  const auto rows = compare_kernels(compared(a), compared(b), KernelJoin::kName);
  const auto verdict = judge_comparison(judged(a), judged(b), rows);
  REQUIRE(verdict);
  CHECK(verdict->is_of_steps);
  CHECK(verdict->a.count == 8);
  CHECK(verdict->b.count == 6);
  CHECK(verdict->a.dur_ns == 1'101'000);
  CHECK(verdict->b.dur_ns == 1'301'000);
  CHECK(verdict->word() == "slower");
  REQUIRE(verdict->range_ns);
  CHECK(verdict->range_ns->first >= 198'000);
  CHECK(verdict->range_ns->second <= 202'000);
  CHECK(kTimeClasses[verdict->main_class()] == "compute");
  CHECK(verdict->a.classes_ns[0] == 150'000);
  CHECK(verdict->b.classes_ns[0] == 350'000);
  // Six steps of 300 us are more by 200 us a step, though only by 1 ms in all; the other kernel changed nothing.
  REQUIRE(verdict->causes.size() == 1);
  CHECK(rows[verdict->causes[0].row].name == "k");
  CHECK(verdict->causes[0].change_ns == 200'000);
  const auto turned = judge_comparison(judged(b), judged(a), compare_kernels(compared(b), compared(a), {}));
  REQUIRE(turned);
  CHECK(turned->word() == "faster");
  CHECK(turned->change_ns() == -verdict->change_ns());
}

TEST_CASE("without steps a comparison is judged by the time of an average device, without a range") {
  const Analysed a(kernel("k", 7, 0, 100, "")), b(kernel("k", 7, 0, 50, "") + kernel("k", 7, 80, 20, ""));
  const auto verdict = judge_comparison(judged(a), judged(b), compare_kernels(compared(a), compared(b), {}));
  REQUIRE(verdict);
  CHECK_FALSE(verdict->is_of_steps);
  CHECK(verdict->b.dur_ns == 100'000);
  CHECK(verdict->word() == "same");
  CHECK(verdict->b.classes_ns[0] + verdict->b.classes_ns[3] == 100'000);
  CHECK_FALSE(verdict->range_ns);
  const Analysed nothing(record("cpu_op", "aten::mm", 1, 1, 0, 10, ""));
  CHECK_FALSE(judge_comparison(judged(nothing), judged(b), {}));
}

TEST_CASE("the reference's estimates keep its faults: equal launches are one, and each kernel has all of the work") {
  const Analysed trace(kEvents + kernel("gemm_bf16", 7, 500, 30, R"("External id":1)"));
  const std::string text =
      reference_estimates_json(trace.capture, trace.analysis.work, trace.analysis.operators, "bfloat16");
  const auto line = text.find("gemm_bf16");
  REQUIRE(line != std::string::npos);
  const std::string_view row = std::string_view(text).substr(line, text.find('\n', line) - line);
  CHECK(row.find(R"("distinct_launches":1)") != std::string_view::npos);
  CHECK(row.find(fmt::format("\"mean_flops_per_s\":{}", 163840 / 30e-6).substr(0, 26)) != std::string_view::npos);
}

TEST_CASE("time of which records are lost is neither busy nor idle, of the stream and of its device") {
  Analysed trace(kernel("a", 7, 0, 10, "") + kernel("b", 7, 30, 10, "") + kernel("c", 9, 18, 4, "") +
                 kernel("d", 7, 60, 10, ""));
  DeviceWork& work = trace.analysis.work;
  const std::uint32_t stream = work.items[0].stream;
  work.lost = {{{10'000, 30'000}, stream}, {{12'000, 20'000}, stream}, {{68'000, 90'000}, stream}};
  const auto rows = make_breakdowns(work, {});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].busy_ns == 34'000);
  CHECK(rows[0].not_recorded_ns == 16'000);  // another stream ran meanwhile
  CHECK(rows[0].idle_ns() == 20'000);
  CHECK(rows[0].idle_kernel_ns + rows[0].idle_host_ns + rows[0].idle_other_ns == rows[0].idle_ns());
  CHECK(rows[0].gaps == 1);
  CHECK(rows[1].not_recorded_ns == 20'000);
  CHECK(rows[1].idle_ns() == 20'000);
  CHECK(rows[2].not_recorded_ns == 0);
  const auto gaps = find_gaps(work, {});
  REQUIRE(gaps[0].size() == 1);
  CHECK(gaps[0][0].from_ns - trace.capture.profile.start_ns == 40'000);
  // The range begins and ends in what is lost.
  const std::int64_t start_ns = trace.capture.profile.start_ns;
  const auto part = make_breakdowns(work, {.range = WorkRange{{start_ns + 15'000, start_ns + 35'000}, false}});
  CHECK(part[0].not_recorded_ns == 11'000);
  CHECK(part[0].idle_ns() == 0);
}

TEST_CASE("a profile without device work has no rows, and nothing divides by it") {
  const Analysed trace(record("cpu_op", "aten::mm", 1, 1, 0, 10, ""));
  CHECK(trace.rows().empty());
  CHECK(make_breakdowns(trace.analysis.work, {}).empty());
  CHECK(find_gaps(trace.analysis.work, {}).empty());
}

}  // namespace
}  // namespace vizd::device_analysis_test
