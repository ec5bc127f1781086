// What is in a scope, of a small trace whose figures are worked out by hand, and of a larger one against plain sums.
#include "analysis/devices/work_scope.h"

#include <cmath>
#include <map>
#include <random>

#include "analysis/devices/call_tree.h"
#include "analysis/devices/collectives.h"
#include "analysis/devices/device_breakdown.h"
#include "analysis/devices/kernel_sequences.h"
#include "support/analysed_trace.h"

namespace vizd::work_scope_test {
namespace {

// Two steps. The first's operator launches two kernels, the second of which runs on into the second step; there a copy
// is launched, and another device computes. Microseconds.
const std::string kSteps =
    record("user_annotation", "ProfilerStep#4", 100, 100, 0, 100, "") +
    record("user_annotation", "ProfilerStep#5", 100, 100, 100, 100, "") +
    record("cpu_op", "aten::mm", 100, 100, 5, 30,
           R"("External id":1,"Input Dims":[[5,128],[128,128]],"Input type":["float","float"])") +
    record("cuda_runtime", "cudaLaunchKernel", 100, 100, 10, 5, R"("correlation":11)") +
    record("cuda_runtime", "cudaLaunchKernel", 100, 100, 20, 5, R"("correlation":12)") +
    record("cuda_runtime", "cudaMemcpyAsync", 100, 100, 110, 5, R"("correlation":13)") +
    kernel("gemm", 7, 20, 20, R"("correlation":11,"External id":1)") +
    kernel("gemm", 7, 60, 60, R"("correlation":12,"External id":1)") +
    record("gpu_memcpy", "Memcpy HtoD", 0, 7, 130, 20, R"("device":0,"bytes":4096,"correlation":13)") +
    record("kernel", "other", 1, 9, 150, 40, R"("device":1)");
constexpr double kFlop = 2.0 * 5 * 128 * 128;

DeviceAnalysis scoped(const Analysed& trace, const WorkScope& scope) {
  return in_scope(trace.capture, trace.analysis, scope);
}

std::vector<KernelRow> rows_in(const Analysed& trace, const WorkScope& scope, const KernelChoice& choice = {}) {
  const DeviceAnalysis of = scoped(trace, scope);
  return make_kernel_table(trace.capture, of.work, of.operators, of.figures, DevicePeaks(), choice);
}

std::int64_t total_ns(const std::vector<KernelRow>& rows) {
  std::int64_t sum_ns = 0;
  for (const KernelRow& row : rows) sum_ns += row.durations.total_ns;
  return sum_ns;
}

TEST_CASE("work that reaches beyond the range is cut to it, with its arithmetic in proportion") {
  const Analysed trace(kSteps);
  const auto rows = rows_in(trace, {.from_ns = 30'000, .to_ns = 100'000});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].durations.launches == 2);
  CHECK(rows[0].durations.total_ns == 10'000 + 40'000);
  CHECK(rows[0].durations.max_ns == 40'000);
  CHECK(rows[0].time_percent == 100);
  CHECK(std::abs(*rows[0].flop.amount() - kFlop * 50 / 80) < 1e-6);
  const auto operators = rows_in(trace, {.from_ns = 30'000, .to_ns = 100'000}, {.group = KernelGroup::kOperator});
  REQUIRE(operators.size() == 1);
  CHECK(operators[0].calls->launches == 1);
  CHECK(std::abs(*operators[0].flop.amount() - kFlop * 50 / 80) < 1e-6);
  const auto copies = rows_in(trace, {.from_ns = 145'000, .to_ns = 150'000});
  REQUIRE(copies.size() == 1);
  CHECK(copies[0].bytes_copied == 4096 / 4);
  CHECK(rows_in(trace, {.from_ns = 50'000, .to_ns = 60'000}).empty());  // its end is outside
}

TEST_CASE("a step is the work launched in it, whenever that ran") {
  const Analysed trace(kSteps);
  const auto rows = rows_in(trace, {.step = 4});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].durations.total_ns == 80'000);
  CHECK(*rows[0].flop.amount() == kFlop);
  CHECK(total_ns(rows_in(trace, {.step = 5})) == 60'000);
  CHECK(rows_in(trace, {.step = 6}).empty());
  const auto steps = make_step_breakdowns(trace.analysis.work, {});
  REQUIRE(steps.size() == 2);
  const WorkScope step{.step = 4};
  const auto breakdowns =
      make_breakdowns(scoped(trace, step.of_breakdowns()).work, step.breakdown_options(trace.capture.profile));
  REQUIRE(!steps[0].devices.empty());
  CHECK(steps[0].devices[0].busy_ns == breakdowns[0].busy_ns);
  CHECK(steps[0].devices[0].end_ns == breakdowns[0].end_ns);
}

TEST_CASE("devices, ranks and kernels are chosen as rows tell them") {
  const Analysed trace(kSteps);
  CHECK(total_ns(rows_in(trace, {.device = "1"})) == 40'000);
  CHECK(total_ns(rows_in(trace, {.device = "0"})) == 100'000);
  CHECK(rows_in(trace, {.device = "2"}).empty());
  CHECK(rows_in(trace, {.rank = "0"}).empty());  // the trace tells of no rank
  CHECK(total_ns(rows_in(trace, {.kernel = "gemm"})) == 80'000);
  CHECK(rows_in(trace, {.kernel = "gem"}).empty());
  CHECK(total_ns(rows_in(trace, {.to_ns = 30'000, .step = 4, .device = "0", .kernel = "gemm"})) == 10'000);
  const DeviceAnalysis device = scoped(trace, {.device = "0"});
  CHECK(device.work.devices.size() == 2);  // at their places
  const CallTree tree = make_call_tree(trace.capture, device.work, device.operators, device.figures);
  CHECK(tree.of_item.size() == 3);
  std::int64_t top_ns = 0;
  for (const CallNode& node : tree.nodes) top_ns += node.parent == kNoId ? node.total_ns : 0;
  CHECK(top_ns == 100'000);
}

TEST_CASE("busy and idle time of a range are all of it, and idle time is due to what is around it") {
  const Analysed trace(kSteps);
  const WorkScope scope{.from_ns = 45'000, .to_ns = 128'000};
  const auto range = scope.range_in(trace.capture.profile);
  const auto rows = make_breakdowns(trace.analysis.work, {.range = range});
  REQUIRE(rows.size() == 4);  // two devices, each with a stream
  CHECK(rows[0].span_ns() == 83'000);
  CHECK(rows[0].busy_ns == 60'000);
  CHECK(rows[0].idle_ns() == 15'000 + 8'000);
  CHECK(rows[0].idle_kernel_ns == 15'000 + 8'000);  // launched in time, as the whole gap's cause is
  CHECK(rows[0].events == 1);
  CHECK(rows[1].busy_ns == 0);  // the other device did nothing then
  CHECK(rows[1].idle_ns() == 83'000);
  for (const DeviceBreakdown& row : rows)
    CHECK(row.busy_ns + row.idle_host_ns + row.idle_kernel_ns + row.idle_other_ns == 83'000);
  const auto gaps = longest_of(find_gaps(trace.analysis.work, {.range = range})[0], 9);
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[0].to_ns - gaps[0].from_ns == 15'000);
  CHECK(trace.analysis.work.items[gaps[1].item].work == EventRole::kMemcpy);  // it ended beyond the range
  const auto rest = longest_of(
      find_gaps(trace.analysis.work, {.range = WorkScope{.from_ns = 140'000}.range_in(trace.capture.profile)})[0], 9);
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].item == kNoId);
}

TEST_CASE("a collective counts whole where any rank's launch is in the scope") {
  const auto all_reduce = [](int at, int dur) {
    return kernel("ncclDevKernel_AllReduce", 8, at, dur, R"("Group size":2)");
  };
  const Analysed a(all_reduce(0, 100) + all_reduce(200, 50)), b(all_reduce(20, 80) + all_reduce(190, 60));
  const WorkScope scope{.to_ns = 10'000};
  const ProfiledRank ranks[] = {
      {a.capture, a.analysis.work, a.analysis.operators, items_in_scope(a.capture, a.analysis.work, scope)},
      {b.capture, b.analysis.work, b.analysis.operators, items_in_scope(b.capture, b.analysis.work, scope)}};
  const Collectives found = find_collectives(ranks);
  REQUIRE(found.all.size() == 1);
  REQUIRE(found.rows.size() == 1);
  CHECK(found.rows[0].transfer_ns == 80'000);
  CHECK(found.rows[0].skew_total_ns == 20'000);
  CHECK(found.all[0].launches.size() == 2);
}

TEST_CASE("sequences of a kernel are those that it is in") {
  std::string events;
  for (int i = 0; i < 4; ++i)
    events += kernel("a", 7, 100 * i, 5, "") + kernel("b", 7, 100 * i + 6, 5, "") + kernel("c", 8, 100 * i, 5, "") +
              kernel("d", 8, 100 * i + 6, 5, "");
  const Analysed trace(events);
  CHECK(find_kernel_sequences(trace.capture, trace.analysis.work, 10).size() == 2);
  const auto sequences = find_kernel_sequences(trace.capture, trace.analysis.work, 10, "b");
  REQUIRE(sequences.size() == 1);
  CHECK(trace.capture.strings.get(sequences[0].names[0]) == "a");
}

TEST_CASE("ranges that follow one another add up to the whole") {
  std::mt19937 random(5);
  std::string events;
  int correlation = 0;
  for (int stream = 7; stream < 10; ++stream) {
    int at = 50;
    for (int i = 0; i < 200; ++i) {
      const int dur = static_cast<int>(random() % 30);
      ++correlation;
      events += record("cuda_runtime", "cudaLaunchKernel", 1, stream, std::max(at - static_cast<int>(random() % 60), 0),
                       2, fmt::format(R"("correlation":{})", correlation));
      events += kernel(fmt::format("kernel_{}", random() % 5), stream, at, dur,
                       fmt::format(R"("correlation":{},"kernel_flop":{})", correlation, 1000 + random() % 1000));
      at += dur + static_cast<int>(random() % 40);
    }
  }
  const Analysed trace(events);
  const Profile& profile = trace.capture.profile;
  const std::int64_t dur_ns = profile.end_ns - profile.start_ns;
  const auto whole = trace.rows();
  const DeviceBreakdown of_whole = make_breakdowns(trace.analysis.work, {})[0];
  std::map<std::string, std::int64_t> sums_ns;
  std::map<std::string, double> flops;
  std::int64_t busy_ns = 0, host_ns = 0, queued_ns = 0, spans_ns = 0;
  constexpr int kParts = 7;
  for (int part = 0; part < kParts; ++part) {
    const WorkScope scope{.from_ns = dur_ns * part / kParts, .to_ns = dur_ns * (part + 1) / kParts};
    for (const KernelRow& row : rows_in(trace, scope)) {
      sums_ns[*row.key] += row.durations.total_ns;
      flops[*row.key] += *row.flop.amount();
      CHECK(*row.time_percent <= 100);
    }
    const DeviceBreakdown b = make_breakdowns(trace.analysis.work, {.range = scope.range_in(profile)})[0];
    CHECK(b.busy_ns + b.idle_host_ns + b.idle_kernel_ns + b.idle_other_ns == *scope.to_ns - *scope.from_ns);
    CHECK(b.queue_max <= of_whole.queue_max);
    busy_ns += b.busy_ns;
    host_ns += b.idle_host_ns;
    queued_ns += b.queue_integral_ns;
    spans_ns += b.span_ns();
  }
  CHECK(spans_ns == dur_ns);
  CHECK(busy_ns == of_whole.busy_ns);
  CHECK(queued_ns == of_whole.queue_integral_ns);
  CHECK(host_ns >= of_whole.idle_host_ns);  // and what was before the first work
  for (const KernelRow& row : whole) {
    CHECK(sums_ns[*row.key] == row.durations.total_ns);
    CHECK(std::abs(flops[*row.key] / *row.flop.amount() - 1) < 1e-9);
  }
}

TEST_CASE("scopes are known by keys of their own") {
  CHECK(WorkScope{}.key().empty());
  CHECK(WorkScope{.rank = "1"}.key() != WorkScope{.device = "1"}.key());
  CHECK(WorkScope{.from_ns = 1}.key() != WorkScope{.to_ns = 1}.key());
  CHECK(WorkScope{.rank = "1 1:2"}.key() != WorkScope{.rank = "1", .device = "2"}.key());
}

}  // namespace
}  // namespace vizd::work_scope_test
