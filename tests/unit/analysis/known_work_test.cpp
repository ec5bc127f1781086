// Rates and calls of rows of which only a part is known, held against sums made beside the table: of a step as vLLM
// runs it, of whose products a CUDA graph replays some, which tells no operator of them.
#include <numeric>
#include <random>

#include "analysis/answers/device_answers.h"
#include "analysis/devices/kernel_comparison.h"
#include "support/analysed_trace.h"
#include "support/catch.h"

namespace vizd::known_work_test {
namespace {

constexpr int kKnown = 168, kAll = 241;  // as in the trace on which the fault was found
constexpr double kFlop = 2.0 * 64 * 4096 * 1024;
constexpr double kBytes = 2.0 * (64 * 4096 + 4096 * 1024 + 64 * 1024);

// One of products, each with a setting of memory before it; what no operator launched takes twice as long.
struct Products {
  std::string events;
  std::vector<std::int64_t> calls_ns;
  std::int64_t known_ns = 0, all_ns = 0, sets_ns = 0;

  Products() {
    std::mt19937 random(7);
    int at = 100'000;
    for (int i = 0; i < kAll; ++i) {
      const int gemm = 10 + static_cast<int>(random() % 20), set = 1 + static_cast<int>(random() % 3);
      all_ns += 1000 * (i < kKnown ? gemm : 2 * gemm);
      if (i >= kKnown) {
        events += kernel("nvjet_gemm_bf16", 7, at, 2 * gemm, "");
        at += 2 * gemm;
        continue;
      }
      const std::string id = fmt::format(R"("External id":{},"correlation":{})", i + 1, 1000 + i);
      events += record("cpu_op", "aten::mm", 100, 100, 10 * i, 8,
                       fmt::format(R"("External id":{},"Input Dims":[[64,4096],[4096,1024]],)"
                                   R"("Input type":["c10::BFloat16","c10::BFloat16"])",
                                   i + 1));
      events += record("gpu_memset", "Memset (Device)", 0, 7, at, set, R"("device":0,)" + id);
      events += kernel("nvjet_gemm_bf16", 7, at + set, gemm, id);
      at += set + gemm;
      known_ns += 1000 * gemm;
      sets_ns += 1000 * set;
      calls_ns.push_back(1000 * (set + gemm));
    }
    std::ranges::sort(calls_ns);
  }
  std::int64_t launched_ns() const { return known_ns + sets_ns; }
};

void check_near(const std::optional<double>& value, double expected) {
  REQUIRE(value);
  CHECK(std::abs(*value / expected - 1) < 1e-9);
}

const FieldValue value_of(const Analysed& trace, const KernelRow& row, KernelGroup group, std::string_view field) {
  const auto fields = kernel_fields(group);
  return find_field(fields, field).value({trace.capture, trace.analysis.work, row, group});
}

TEST_CASE("rates are of the launches whose work is known, by their time, in every group") {
  const Products made;
  const Analysed trace(made.events);
  for (const KernelGroup group : {KernelGroup::kName, KernelGroup::kCategory, KernelGroup::kFamily}) {
    const auto rows = trace.rows({.group = group});
    const auto found = std::ranges::find_if(rows, [](const KernelRow& row) { return row.flop.count > 0; });
    REQUIRE(found != rows.end());
    CHECK(found->durations.launches == kAll);
    CHECK(found->durations.total_ns == made.all_ns);
    CHECK(found->flop.count == kKnown);
    CHECK(found->bytes.count == kKnown);
    const double seconds = static_cast<double>(made.known_ns) * 1e-9;
    check_near(found->flop_per_s(), kKnown * kFlop / seconds);
    check_near(found->bytes_per_s(), kKnown * kBytes / seconds);
    check_near(found->flop_percent(), 100 * kKnown * kFlop / seconds / 989.4e12);
    check_near(found->flop_percent_of_all(),
               100 * kKnown * kFlop / (static_cast<double>(made.all_ns) * 1e-9) / 989.4e12);
    CHECK(std::get<std::string>(value_of(trace, *found, group, "known_of")) == "168 of 241 launches");
  }
  const auto streams = trace.rows({.group = KernelGroup::kStream});
  REQUIRE(streams.size() == 1);
  check_near(streams[0].flop_per_s(), kKnown * kFlop / (static_cast<double>(made.known_ns) * 1e-9));
  CHECK(streams[0].kernels == kAll);
  CHECK(streams[0].sets == kKnown);
}

TEST_CASE("of an operator a call is what counts: all that it launched, each kind by itself") {
  const Products made;
  const Analysed trace(made.events);
  const auto rows = trace.rows({.group = KernelGroup::kOperator});
  const KernelRow& mm = trace.row(rows, "aten::mm");
  REQUIRE(mm.calls);
  CHECK(mm.calls->launches == kKnown);
  CHECK(mm.durations.launches == 2 * kKnown);
  CHECK(mm.kernels == kKnown);
  CHECK(mm.sets == kKnown);
  CHECK(mm.copies == 0);
  const auto& calls_ns = made.calls_ns;
  CHECK(mm.calls->total_ns == made.launched_ns());
  CHECK(mm.calls->median_ns == static_cast<double>(calls_ns[83] + calls_ns[84]) / 2);
  CHECK(mm.calls->p90_ns == calls_ns[(9 * kKnown + 9) / 10 - 1]);
  CHECK(mm.calls->max_ns == calls_ns.back());
  CHECK(mm.flop.count == kKnown);
  check_near(mm.flop_per_s(), kKnown * kFlop / (static_cast<double>(made.launched_ns()) * 1e-9));
  CHECK(std::holds_alternative<std::monostate>(value_of(trace, mm, KernelGroup::kOperator, "known_of")));
  const auto unknown = std::ranges::find_if(rows, [](const KernelRow& row) { return !row.key; });
  REQUIRE(unknown != rows.end());
  CHECK(unknown->durations.launches == kAll - kKnown);
  CHECK_FALSE(unknown->flop_per_s());
}

// A copy with these inputs, and its kernel.
std::string copy(int id, std::string_view types, std::string_view strides, int dur) {
  return record("cpu_op", "aten::copy_", 100, 100, 10 * id, 8,
                fmt::format(R"("External id":{},"Input Dims":[[256,128],[256,128],[]],"Input type":[{},""],)"
                            R"("Input Strides":[{},[]])",
                            id, types, strides)) +
         kernel("elementwise_kernel", 7, 1000 * id, dur, fmt::format(R"("External id":{})", id));
}

const std::string kCopies = copy(1, R"("c10::BFloat16","float")", "[128,1],[128,1]", 10) +
                            copy(2, R"("float","c10::BFloat16")", "[128,1],[128,1]", 20) +
                            copy(3, R"("float","c10::BFloat16")", "[128,1],[1,256]", 40) +
                            copy(4, R"("float","c10::BFloat16")", "[128,1],[128,1]", 22);

TEST_CASE("shapes are told apart by type and layout too") {
  const Analysed trace(kCopies);
  const auto rows = trace.rows({.group = KernelGroup::kShapes});
  REQUIRE(rows.size() == 3);
  CHECK(trace.row(rows, "aten::copy_ bf16[256, 128], f32[256, 128]").durations.total_ns == 10'000);
  CHECK(trace.row(rows, "aten::copy_ f32[256, 128], bf16[256, 128]").calls->launches == 2);
  CHECK(trace.row(rows, "aten::copy_ f32[256, 128], bf16[256, 128]").durations.total_ns == 42'000);
  CHECK(trace.row(rows, "aten::copy_ f32[256, 128], bf16[256, 128] strides [1, 256]").durations.total_ns == 40'000);
}

TEST_CASE("profiles are joined by operator and shapes") {
  const Analysed a(kCopies), b(copy(5, R"("float","c10::BFloat16")", "[128,1],[1,256]", 65) +
                               copy(6, R"("float","c10::BFloat16")", "[128,1],[128,1]", 21));
  const ComparedProfile before{a.capture, a.analysis.work, a.analysis.operators};
  const ComparedProfile after{b.capture, b.analysis.work, b.analysis.operators};
  const auto rows = compare_kernels(before, after, KernelJoin::kShapes);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].name == "aten::copy_ f32[256, 128], bf16[256, 128] strides [1, 256]");
  CHECK(rows[0].delta_total_ns() == 25'000);
  CHECK(rows[0].slowdown_percent() == 62.5);
  CHECK(rows[0].is_slower_by(62));
  CHECK_FALSE(rows[0].is_slower_by(63));
  CHECK(rows[1].delta_launches() == -1);
  CHECK(rows[1].slowdown_percent() == 0);
  CHECK(rows[2].state() == "removed");
  CHECK_FALSE(rows[2].is_slower_by(0));
  CHECK(find_launches(before, KernelJoin::kShapes, rows[1]).size() == 2);
}

// An operator's call that sets memory and then multiplies.
std::string product(int id, int set_dur, int dur) {
  const std::string of = fmt::format(R"("External id":{})", id);
  return record("cpu_op", "aten::mm", 100, 100, 10 * id, 8, of) +
         record("gpu_memset", "Memset (Device)", 0, 7, 1000 * id, set_dur, of) +
         kernel("gemm", 7, 1000 * id + 100, dur, of);
}

TEST_CASE("profiles joined by operator are compared call by call, not launch by launch") {
  std::string before, after;
  for (int i = 0; i < 8; ++i) {
    before += product(i + 1, 2, 100);
    after += product(i + 1, 2, 100 + 20 + i);
  }
  // Work of no operator is of no call.
  before += kernel("lonely", 9, 50'000, 5, R"("x":1)");
  const Analysed a(before), b(after);
  const ComparedProfile of_a{a.capture, a.analysis.work, a.analysis.operators};
  const ComparedProfile of_b{b.capture, b.analysis.work, b.analysis.operators};
  for (const KernelJoin join : {KernelJoin::kOperator, KernelJoin::kShapes}) {
    const auto rows = compare_kernels(of_a, of_b, join);
    REQUIRE(rows.size() == 2);
    const ComparedKernel& mm = rows[0];
    CHECK(mm.name == "aten::mm");
    CHECK(mm.a.calls == 8);
    CHECK(mm.a.launches == 16);
    CHECK(mm.b.calls == 8);
    CHECK(mm.a.median_ns == 102'000);
    CHECK(mm.b.median_ns == 125'500);
    REQUIRE(mm.median_change_ns);
    CHECK(mm.median_change_ns->first >= 20'000);
    CHECK(mm.median_change_ns->second <= 27'000);
    CHECK(mm.is_slower_by(20));
    CHECK(rows[1].name.empty());
    CHECK(rows[1].a.calls == 0);
    CHECK(rows[1].a.launches == 1);
    const auto fields = comparison_fields(join);
    const auto calls_of = [&](const ComparedKernel& row) { return find_field(fields, "a_calls").value({row, join}); };
    CHECK(std::get<std::int64_t>(calls_of(mm)) == 8);
    CHECK(std::holds_alternative<std::monostate>(calls_of(rows[1])));
  }
  // By name a launch is the unit.
  const auto by_name = compare_kernels(of_a, of_b, KernelJoin::kName);
  CHECK(by_name[0].name == "gemm");
  CHECK(by_name[0].a.calls == 0);
  CHECK(by_name[0].a.launches == 8);
}

TEST_CASE("peaks of a device that is not listed are those of the others, where these are of one kind") {
  const std::string op =
      record("cpu_op", "aten::mm", 100, 100, 0, 8,
             R"("External id":1,"Input Dims":[[64,64],[64,64]],"Input type":["c10::BFloat16","c10::BFloat16"])");
  const auto on = [&](int device) {
    return op + record("kernel", "gemm", device, 7, 100, 10, fmt::format(R"("device":{},"External id":1)", device));
  };
  const Analysed listed(on(0)), other(on(2));
  CHECK(listed.row(listed.rows(), "gemm").peak_flops == 989.4e12);
  CHECK(other.row(other.rows(), "gemm").peak_flops == 989.4e12);
  CHECK(other.analysis.work.devices[0].name.empty());  // the capture does not say that it is one
  const Analysed mixed(on(2), R"({"id":0,"name":"NVIDIA H100 80GB HBM3"},{"id":1,"name":"NVIDIA A100-SXM4-80GB"})");
  CHECK_FALSE(mixed.row(mixed.rows(), "gemm").peak_flops);
}

TEST_CASE("launches of several precisions are each held against the peak of their own") {
  const auto product = [](int id, std::string_view type, std::string_view name, int at_us, int dur_us) {
    return record("cpu_op", "aten::mm", 100, 100, 10 * id, 8,
                  fmt::format(R"("External id":{0},"Input Dims":[[4096,4096],[4096,4096]],"Input type":["{1}","{1}"])",
                              id, type)) +
           kernel(name, 7, at_us, dur_us, fmt::format(R"("External id":{})", id));
  };
  const Analysed trace(product(1, "float", "sgemm", 100, 4000) + product(2, "c10::BFloat16", "nvjet", 5000, 400) +
                       product(3, "float", "cutlass_80_tensorop_s1688gemm_256x128", 6000, 1000));
  const double flop = 2.0 * 4096 * 4096 * 4096;
  const double seconds[] = {flop / 67e12, flop / 989.4e12, flop / 494.7e12};  // at fp32's peak, bf16's and tf32's
  const auto rows = trace.rows({.group = KernelGroup::kOperator});
  REQUIRE(rows.size() == 1);
  const double at_peak = seconds[0] + seconds[1] + seconds[2];
  check_near(rows[0].peak_flops, 3 * flop / at_peak);
  check_near(rows[0].flop_percent(), 100 * at_peak / 5.4e-3);
  CHECK(rows[0].precision == Precision::kFp32);  // of the longest
  CHECK(rows[0].bound() == "compute");
  CHECK(*rows[0].at_stake_ns == std::llround(5.4e6 - 1e9 * at_peak / kAttainable));
  const auto by_name = trace.rows();
  const std::pair<std::string_view, Precision> computes_in[] = {
      {"sgemm", Precision::kFp32},
      {"nvjet", Precision::kBf16},
      {"cutlass_80_tensorop_s1688gemm_256x128", Precision::kTf32}};
  for (const auto& [name, precision] : computes_in) CHECK(trace.row(by_name, name).precision == precision);
}

TEST_CASE("attention that does not tell whether it is causal has the FLOP of both") {
  const auto attention = [](std::string_view concrete) {
    return record("cpu_op", "aten::_scaled_dot_product_flash_attention", 100, 100, 0, 8,
                  fmt::format(R"("External id":1,"Input Dims":[[1,4,128,64],[1,4,128,64],[1,4,128,64],[],[]],)"
                              R"("Input type":["c10::BFloat16","c10::BFloat16","c10::BFloat16","",""]{})",
                              concrete)) +
           kernel("flash_fwd", 7, 100, 10, R"("External id":1)");
  };
  const double all = 2.0 * 4 * 128 * 128 * (64 + 64), causal = 2.0 * 4 * (128 * 129 / 2) * (64 + 64);
  const Analysed silent(attention("")), told(attention(R"(,"Concrete Inputs":["","","","0.","True"])"));
  const auto row = silent.row(silent.rows(), "flash_fwd"), told_row = told.row(told.rows(), "flash_fwd");
  CHECK(row.attention() == "not told");
  CHECK(row.flop.amount() == all);
  CHECK(std::abs(row.flop_if_causal - causal) < 1e-3);
  CHECK(told_row.attention() == "causal");
  CHECK(std::abs(told_row.flop.sum - causal) < 1e-3);
}

}  // namespace
}  // namespace vizd::known_work_test
