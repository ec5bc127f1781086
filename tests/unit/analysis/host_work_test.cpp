// The host's operators as a device's work, in traces in which no device worked.
#include "analysis/devices/host_work.h"

#include <cmath>

#include "analysis/devices/call_tree.h"
#include "analysis/devices/kernel_comparison.h"
#include "support/analysed_trace.h"
#include "support/catch.h"

namespace vizd::host_work_test {
namespace {

std::string on(int thread, std::string_view category, std::string_view name, int ts, int dur,
               const std::string& args = "") {
  return record(category, name, 100, thread, ts, dur, args);
}

// A product of 64 x 128 and 128 x 32 in a call of linear, views beside it, and a sum of gradients on another thread.
std::string step(int ts, int mm_dur) {
  return on(1, "cpu_op", "aten::linear", ts, 500) + on(1, "cpu_op", "aten::t", ts + 10, 5) +
         on(1, "cpu_op", "aten::mm", ts + 20, mm_dur,
            R"("Input Dims":[[64,128],[128,32]],"Input type":["float","float"],"Concrete Inputs":["",""])") +
         on(1, "cpu_op", "aten::empty", ts + 480, 2) + on(2, "cpu_op", "aten::add_", ts + 600, 40) +
         on(2, "cpu_op", "c10d::allreduce_", ts + 700, 30);
}

std::vector<KernelRow> rows_of(const Analysed& trace, const DeviceAnalysis& host, const DevicePeaks& peaks) {
  return make_kernel_table(trace.capture, host.work, host.operators, host.figures, peaks, {});
}

}  // namespace

TEST_CASE("an operator with what it calls to prepare is one kernel, and one that mostly calls others is none") {
  const Analysed trace(on(1, "cpu_op", "aten::conv2d", 0, 1000) + on(1, "cpu_op", "aten::mkldnn_convolution", 10, 980) +
                       on(1, "cpu_op", "aten::empty", 20, 600) + on(1, "cpu_op", "aten::linear", 2000, 500) +
                       on(1, "cpu_op", "aten::addmm", 2010, 480) + on(1, "cpu_op", "aten::expand", 2020, 10) +
                       on(1, "cpu_op", "aten::copy_", 2040, 50) +
                       on(1, "cpu_op", "autograd::engine::evaluate_function: MmBackward0", 3000, 100) +
                       on(1, "user_annotation", "mine", 3005, 40) + on(1, "cpu_op", "aten::mm", 3010, 30));
  const DeviceAnalysis host = analyse_host(trace.capture, trace.analysis);
  std::string found;
  for (const KernelRow& row : rows_of(trace, host, DevicePeaks()))
    found += fmt::format("{} {}; ", *row.key, row.durations.total_ns);
  CHECK(found == "aten::mkldnn_convolution 980000; aten::addmm 480000; aten::mm 30000; ");
}

TEST_CASE("the host's work are operators that call no other, without those that only allocate or describe a tensor") {
  const Analysed trace(step(0, 400) + step(1000, 400));
  REQUIRE(trace.analysis.work.items.empty());
  const DeviceAnalysis host = analyse_host(trace.capture, trace.analysis);
  REQUIRE(host.work.devices.size() == 1);
  CHECK(host.work.devices[0].name == kHostDevice);
  CHECK(host.work.streams.size() == 2);
  std::string found;
  for (const KernelRow& row : rows_of(trace, host, DevicePeaks()))
    found += fmt::format("{} {} {}; ", *row.key, row.durations.launches, row.durations.total_ns);
  CHECK(found == "aten::mm 2 800000; aten::add_ 2 80000; c10d::allreduce_ 2 60000; ");
  CHECK(std::ranges::count_if(host.work.items, [](const WorkItem& item) { return item.is_communication; }) == 2);
}

TEST_CASE("an operator of the host has its arithmetic, and its share of a CPU's peak where a file gives one") {
  const Analysed trace(step(0, 400));
  const DeviceAnalysis host = analyse_host(trace.capture, trace.analysis);
  DevicePeaks peaks;
  REQUIRE(!peaks.add(R"([{"name":"CPU","fp32":0.01,"GB/s":100}])"));
  const auto rows = rows_of(trace, host, peaks);
  const KernelRow& mm = trace.row(rows, "aten::mm");
  CHECK(mm.flop.amount() == 2.0 * 64 * 128 * 32);
  REQUIRE(mm.flop_percent());
  CHECK(std::abs(*mm.flop_percent() - 100 * (2.0 * 64 * 128 * 32 / 400e-6) / 0.01e12) < 1e-9);
  const CallTree tree = make_call_tree(trace.capture, host.work, host.operators, host.figures);
  std::string path;
  for (std::uint32_t node = tree.of_item[0]; node != kNoId; node = tree.nodes[node].parent)
    path += fmt::format("{} {}; ", frame_kind_name(tree.nodes[node].kind),
                        frame_name(tree.nodes[node], trace.capture.strings));
  CHECK(path == "kernel aten::mm; operator aten::mm; operator aten::linear; ");
}

TEST_CASE("two captures of a host compare operator by operator") {
  const Analysed before(step(0, 300) + step(1000, 300)), after(step(0, 450) + step(1000, 450));
  const DeviceAnalysis a = analyse_host(before.capture, before.analysis),
                       b = analyse_host(after.capture, after.analysis);
  const auto rows =
      compare_kernels({before.capture, a.work, a.operators}, {after.capture, b.work, b.operators}, KernelJoin::kName);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].name == "aten::mm");
  CHECK(rows[0].delta_total_ns() == 300'000);
  CHECK(rows[1].delta_total_ns() == 0);
}

TEST_CASE("where a device worked, or nothing that is known computed, the host is no device") {
  const Analysed with_device(step(0, 400) + kernel("k", 7, 0, 10, ""));
  CHECK(analyse_host(with_device.capture, with_device.analysis).work.items.empty());
  // The host's half of a run on a GPU: its operators only enqueue.
  const Analysed launching(step(0, 400) + on(1, "cuda_runtime", "cudaLaunchKernel", 30, 5, R"("correlation":7)"));
  CHECK(analyse_host(launching.capture, launching.analysis).work.items.empty());
  const Analysed without_work(on(1, "cpu_op", "aten::empty", 0, 10) +
                              on(1, "user_annotation", "gloo:all_reduce", 20, 9));
  CHECK(analyse_host(without_work.capture, without_work.analysis).work.items.empty());
}

}  // namespace vizd::host_work_test
