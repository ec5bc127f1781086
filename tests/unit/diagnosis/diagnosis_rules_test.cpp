// The rules of a diagnosis, each on a capture where it holds and on one where it stays silent.
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/allocator/out_of_memory.h"
#include "analysis/allocator/owners.h"
#include "analysis/allocator/step_leaks.h"
#include "diagnosis/diagnosis_json.h"
#include "diagnosis/page_place.h"
#include "model/allocator_log.h"
#include "support/diagnosed_trace.h"

namespace vizd::diagnosis_rules_test {
namespace {

// Launched well ahead, one right after the other, each filling the device.
const std::string kHealthy = many(30, 200, 1, 500, R"("blocks per SM":8.5)");

TEST_CASE("a healthy capture has no findings, and every rule says what it looked at") {
  const Diagnosed healthy(kHealthy);
  // But for what its one kernel is.
  REQUIRE(healthy.diagnosis.findings.size() == 1);
  CHECK(healthy.diagnosis.findings[0].rule == "dominating-work");
  CHECK(healthy.diagnosis.silent.size() == diagnosis_rules().size() - 1);
  std::set<std::string_view> ids;
  for (const DiagnosisRule& rule : diagnosis_rules()) {
    CHECK(ids.insert(rule.id).second);
    CHECK(!rule.looks_at.empty());
  }
  // What cannot be known is not told as none.
  CHECK(healthy.is_silent("host-bound", Nothing::kNone));
  CHECK(healthy.is_silent("slow-steps", Nothing::kNotRecorded));
  CHECK(healthy.is_silent("undoing-rules", Nothing::kNotRecorded));
  CHECK(!healthy.absence("slow-steps").how.empty());
}

TEST_CASE("host bound: gaps that end with work launched in them") {
  const Diagnosed late(launched("a", 0, 10, 100, 1) + launched("b", 300, 310, 90, 2));
  CHECK(late.cost_ns("host-bound") == 200'000);
  CHECK(late.finding("host-bound")->share == 0.5128205128205128);  // 200 of 390
  CHECK(late.finding("host-bound")->evidence[0].id == "time:110000..310000");
  CHECK(late.is_silent("idle-otherwise", Nothing::kNone));
  CHECK(
      Diagnosed(kernel("a", 7, 0, 10, "") + kernel("b", 7, 90, 10, "")).is_silent("host-bound", Nothing::kNotRecorded));
}

TEST_CASE("gaps by their cause: from kernel to kernel, and of no known cause") {
  const Diagnosed apart(many(30, 40, 10, 500));
  CHECK(apart.cost_ns("between-kernels") == 29 * 10'000);
  CHECK(apart.is_silent("host-bound", Nothing::kNone));
  const Diagnosed unknown(kernel("a", 7, 0, 100, "") + kernel("b", 7, 300, 100, ""));
  CHECK(unknown.cost_ns("idle-otherwise") == 200'000);
  // What tinygrad's host does meanwhile is compiling.
  Diagnosed compiling(kernel("a", 7, 0, 100, "") + record("", "compile e", 1, 1, 120, 150, "") +
                      kernel("b", 7, 300, 100, ""));
  CHECK(compiling.finding("idle-otherwise")->title.find("compiled") == std::string::npos);
  compiling.trace.capture.format = "tinygrad-2026-08";
  compiling.look();
  CHECK(compiling.finding("idle-otherwise")->title == "idle while the program is scheduled and compiled");
  CHECK(compiling.finding("idle-otherwise")->detail.starts_with("for 150 us of 200 us the compiler works"));
  const auto copy = [](int at_us) {
    return record("gpu_memcpy", "Memcpy HtoD", 0, 7, at_us, 10, R"("device":0,"stream":7)");
  };
  CHECK(Diagnosed(copy(0) + copy(300)).is_silent("idle-otherwise", Nothing::kNotRecorded));
}

TEST_CASE("small kernels: the idle time before them, where most are small") {
  // Launched ahead; launched late, which is one finding with why the host is late.
  CHECK(Diagnosed(many(40, 3, 17, 500)).cost_ns("small-kernels") == 39 * 17'000);
  const Diagnosed late(many(40, 3, 17, 5));
  CHECK(late.is_silent("small-kernels", Nothing::kNone));
  CHECK(late.cost_ns("host-bound") == 39 * 17'000);
  CHECK(late.finding("host-bound")->detail.find("40 of 40 launches take less than 10 us") != std::string::npos);
  CHECK(late.finding("host-bound")->next.starts_with("fuse them"));
  CHECK(Diagnosed(many(40, 30, 17, 5)).is_silent("small-kernels", Nothing::kNone));
  // A gap that is no launch does not count: the host did something else.
  CHECK(Diagnosed(many(40, 3, 0, 5) + launched("late", 9000, 9005, 3, 99)).is_silent("small-kernels", Nothing::kNone));
}

TEST_CASE("host bound: what the host was in over all gaps, and not in the longest") {
  std::string events = launched("gemm", 988, 1000, 100, 1);
  for (int i = 1; i <= 10; ++i) {
    const int at = 1000 + 1000 * i;
    events += launched("gemm", at - 12, at, 100, i + 1);
    events += record("user_annotation", "enumerate(DataLoader)#_Iter.__next__", 1, 1, at - 890, 870, "");
  }
  events += record("cpu_op", "aten::other", 1, 1, 11'110, 1700, "") + launched("gemm", 12'820, 12'832, 100, 99);
  const Diagnosed late(events);
  CHECK(late.cost_ns("host-bound") == 10 * 900'000 + 1'732'000);
  CHECK(late.finding("host-bound")
            ->detail.ends_with("; meanwhile the host is in enumerate(DataLoader)#_Iter.__next__, where it loads its "
                               "input: 8.70 ms of 10.7 ms"));
  CHECK(late.finding("host-bound")->next.find("num_workers") != std::string::npos);

  // No known cause: the innermost span that takes half of it, within others that take as much.
  const Diagnosed other(launched("a", 0, 10, 100, 1) + record("cpu_op", "outer", 1, 1, 112, 180, "") +
                        record("cpu_op", "inner", 1, 1, 120, 150, "") + launched("b", 300, 310, 90, 2));
  CHECK(other.finding("host-bound")->detail.ends_with("; meanwhile the host is in inner: 150 us of 200 us"));
}

TEST_CASE("most of a busy device's time is one kernel or one kind") {
  const Diagnosed one(launched("gemm_a", 0, 10, 600, 1) + launched("my_kernel", 1, 610, 300, 2));
  CHECK(one.cost_ns("dominating-work") == 600'000);
  CHECK(one.finding("dominating-work")->title == "most of what the devices do is GEMM: 66.7 %");
  const Diagnosed many_kinds(launched("a", 0, 10, 100, 1) + launched("b", 1, 110, 100, 2) +
                             launched("c", 2, 210, 100, 3));
  CHECK(many_kinds.is_silent("dominating-work", Nothing::kNone));
  CHECK(Diagnosed(launched("a", 0, 10, 100, 1) + launched("a", 900, 910, 100, 2))
            .is_silent("dominating-work", Nothing::kNone));
}

TEST_CASE("launches without kernels: the profiler lost them") {
  const auto call = [](std::string_view name, int at, int number) {
    return record("cuda_runtime", name, 1, 1, at, 2, fmt::format(R"("correlation":{})", number));
  };
  const Diagnosed lost(kHealthy + call("cudaLaunchKernel", 10, 901) + call("cudaLaunchKernel", 20, 902) +
                       call("cudaMemsetAsync", 30, 903));
  REQUIRE(lost.finding("lost-kernels") != nullptr);
  CHECK(lost.finding("lost-kernels")->detail.starts_with("2 of 32 launches"));
  CHECK(lost.diagnosis.findings.front().rule == "lost-kernels");
  CHECK(Diagnosed(kHealthy).is_silent("lost-kernels", Nothing::kNone));
  // What a stream capture records does not run.
  const Diagnosed captured(kHealthy + record("cuda_runtime", "cudaStreamBeginCapture", 1, 1, 5, 1, "") +
                           call("cudaLaunchKernel", 10, 901) + call("cudaLaunchKernel", 20, 902) +
                           record("cuda_runtime", "cudaStreamEndCapture", 1, 1, 40, 1, ""));
  CHECK(captured.is_silent("lost-kernels", Nothing::kNone));
}

TEST_CASE("hosts that exchange data for much of a run without devices") {
  const Diagnosed gloo(record("user_annotation", "gloo:all_reduce", 1, 1, 0, 600, "") +
                       record("user_annotation", "gloo:all_reduce", 1, 2, 300, 600, "") +
                       record("cpu_op", "aten::mm", 1, 1, 900, 100, ""));
  CHECK(gloo.cost_ns("host-communication") == 900'000);
  CHECK(gloo.finding("host-communication")->share == 0.9);
  CHECK(Diagnosed(record("cpu_op", "aten::mm", 1, 1, 0, 100, "")).is_silent("host-communication", Nothing::kNone));
  CHECK(Diagnosed(kHealthy).is_silent("host-communication", Nothing::kNone));
}

TEST_CASE("a host that overlaps a range without enclosing it is not what the host is in") {
  // Python's function ends just after the range has begun, as with every record_function.
  const Diagnosed late(record("python_function", "<built-in method _record_function_enter_new>", 1, 1, 0, 10, "") +
                       record("user_annotation", "my_step", 1, 1, 5, 2000, "") + launched("k1", 20, 30, 10, 1) +
                       launched("k2", 990, 1000, 10, 2) + launched("k3", 1990, 2000, 10, 3));
  REQUIRE(late.finding("host-bound") != nullptr);
  CHECK(late.finding("host-bound")->detail.find("meanwhile the host is in my_step") != std::string::npos);
}

TEST_CASE("where no device works, an operator that takes most of the host's time is named") {
  const auto of_host = [](int sqrt_dur) {
    return Diagnosed(
        record("cpu_op", "aten::sqrt", 1, 1, 0, sqrt_dur, "") + record("cpu_op", "aten::mul", 1, 1, 2000, 500, "") +
        record("cpu_op", "aten::linear", 1, 1, 3000, 700, "") + record("cpu_op", "aten::addmm", 1, 1, 3010, 500, ""));
  };
  const Diagnosed slow = of_host(1000);
  CHECK(slow.cost_ns("host-operator") == 1'000'000);
  CHECK(slow.finding("host-operator")->share == 0.5);
  CHECK(slow.finding("host-operator")->title == "one operator takes most of the host's time: aten::sqrt");
  CHECK(of_host(500).is_silent("host-operator", Nothing::kNone));
  CHECK(Diagnosed(kHealthy).is_silent("host-operator", Nothing::kNone));
}

TEST_CASE("a step much longer than the median") {
  const auto steps = [](int last) {
    std::string events;
    for (int i = 0; i < 5; ++i) {
      const int at = 1000 * i, dur = i == 4 ? last : 900;
      events += record("user_annotation", fmt::format("ProfilerStep#{}", i), 1, 1, at, dur, "");
      events += launched("a", at + 1, at + 10, dur - 20, i + 1);
    }
    return events;
  };
  const Diagnosed slow(steps(1800));
  CHECK(slow.cost_ns("slow-steps") == 900'000);
  CHECK(slow.diagnosis.steps == 5);
  CHECK(slow.finding("slow-steps")->per_step_ns == 180'000);
  CHECK(Diagnosed(steps(950)).is_silent("slow-steps", Nothing::kNone));
}

TEST_CASE("kernels far from what the device can do, and that leave it empty") {
  const auto product = [](int dur) {
    return record(
               "cpu_op", "aten::mm", 1, 1, 0, 20,
               R"("External id":5,"Input Dims":[[1024,1024],[1024,1024]],"Input type":["c10::BFloat16","c10::BFloat16"])") +
           launched("gemm", 5, 20, dur, 1, R"("External id":5)");
  };
  const Diagnosed slow(product(1000));
  CHECK(slow.cost_ns("far-from-roofline") > 950'000);
  CHECK(slow.finding("far-from-roofline")->sure == Sureness::kAtMost);
  CHECK(Diagnosed(product(2)).is_silent("far-from-roofline", Nothing::kNone));
  CHECK(Diagnosed(kHealthy).is_silent("far-from-roofline", Nothing::kNotRecorded));

  CHECK(Diagnosed(many(4, 100, 1, 500, R"("blocks per SM":0.25)")).cost_ns("low-occupancy") == 300'000);
  CHECK(Diagnosed(kHealthy).is_silent("low-occupancy", Nothing::kNone));
  // A kernel of another stream fills the device meanwhile, for a half of the time.
  CHECK(Diagnosed(kernel("small", 7, 0, 400, R"("blocks per SM":0.25)") +
                  kernel("large", 8, 200, 300, R"("blocks per SM":4)"))
            .cost_ns("low-occupancy") == 150'000);
  CHECK(Diagnosed(many(4, 100, 1, 500)).is_silent("low-occupancy", Nothing::kNotRecorded));
}

std::string reduced(int ts, int dur) {
  return kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 8, ts, dur,
                R"("Collective name":"allreduce","In msg nelems":1000,"Group size":2,"Process Group Name":"0")");
}

TEST_CASE("communication that nothing hides, and the rank that the others wait for") {
  const Diagnosed exposed(kernel("gemm", 7, 0, 100, "") + reduced(50, 150));
  CHECK(exposed.cost_ns("exposed-communication") == 100'000);
  CHECK(exposed.is_silent("straggler", Nothing::kNotRecorded));
  CHECK(Diagnosed(kernel("gemm", 7, 0, 200, "") + reduced(50, 100)).is_silent("exposed-communication", Nothing::kNone));

  const Analysed early(kernel("gemm", 7, 0, 40, "") + reduced(40, 60)),
      late(kernel("gemm", 7, 0, 90, "") + reduced(90, 10));
  const DevicePeaks peaks;
  const std::vector<ProfiledRank> job{{early.capture, early.analysis.work, early.analysis.operators},
                                      {late.capture, late.analysis.work, late.analysis.operators}};
  const auto stragglers = [&](const Analysed& of, std::uint32_t place) {
    ExaminedCapture examined{of.capture, of.analysis, peaks};
    examined.job = job;
    examined.place = place;
    std::vector<std::int64_t> costs;
    for (const Finding& finding : diagnose(examined, SIZE_MAX).findings) {
      if (finding.rule == "straggler") costs.push_back(*finding.cost_ns);
    }
    return costs;
  };
  CHECK(stragglers(early, 0).empty());
  CHECK(stragglers(late, 1) == std::vector<std::int64_t>{50'000});
}

TEST_CASE("calls that wait for the device, and what the host does after them") {
  const std::string waits = record("cuda_runtime", "cudaDeviceSynchronize", 1, 1, 20, 95, "");
  const Diagnosed dry(launched("a", 0, 10, 100, 1) + waits + launched("b", 300, 310, 90, 2));
  CHECK(dry.cost_ns("synchronising-calls") == 200'000);
  // The device has work left when the wait is over.
  const Diagnosed fed(launched("a", 0, 10, 400, 1) + waits + launched("b", 300, 411, 90, 2));
  CHECK(fed.is_silent("synchronising-calls", Nothing::kNone));
}

TEST_CASE("functions that torch.compile compiles again") {
  const auto compiled = [](int id) {
    return record("user_annotation", "_compile.compile_inner (dynamo_timed)", 1, 1, 10, 500, "") +
           record("cpu_op", fmt::format("Torch-Compiled Region: 4/{}", id), 1, 1, 520, 80, "") + kHealthy;
  };
  CHECK(Diagnosed(compiled(1)).cost_ns("recompiles") == 500'000);
  CHECK(Diagnosed(compiled(0)).is_silent("recompiles", Nothing::kNone));
  CHECK(Diagnosed(kHealthy).is_silent("recompiles", Nothing::kNotRecorded));
}

TEST_CASE("copies: that nothing hides, and from memory that is not pinned") {
  const auto copied = [](std::string_view kind) {
    return kernel("gemm", 7, 0, 100, "") +
           record("gpu_memcpy", fmt::format("Memcpy HtoD ({} -> Device)", kind), 0, 9, 100, 100, R"("device":0)");
  };
  const Diagnosed pageable(copied("Pageable"));
  CHECK(pageable.cost_ns("unpinned-copies") == 100'000);
  CHECK(pageable.cost_ns("exposed-copies") == 100'000);
  CHECK(pageable.finding("exposed-copies")->next.find("pinned") != std::string::npos);
  CHECK(Diagnosed(copied("Pinned")).is_silent("unpinned-copies", Nothing::kNone));
  // A kind that ran, though never alone, while the one that is listed first did not run at all.
  const Diagnosed beside(kernel("gemm", 7, 0, 200, "") +
                         record("gpu_memcpy", "Memcpy DtoD (Device -> Device)", 0, 8, 50, 100, R"("device":0)"));
  CHECK(beside.finding("exposed-copies") == nullptr);
  // Within the device no memory of the host counts; of two kinds that which is exposed longer is told.
  const auto copy = [](std::string_view name, int ts, int dur) {
    return record("gpu_memcpy", name, 0, 9, ts, dur, R"("device":0)");
  };
  const Diagnosed within(kernel("gemm", 7, 0, 100, "") + copy("Memcpy HtoD (Pinned -> Device)", 40, 70) +
                         copy("Memcpy DtoD (Device -> Device)", 110, 40));
  CHECK(within.cost_ns("exposed-copies") == 50'000);
  CHECK(within.finding("exposed-copies")->title.ends_with("device to device"));
  CHECK(within.finding("exposed-copies")
            ->detail.starts_with("by kind, and how long they take in all: host to device 10.0 us of 70.0 us, device to "
                                 "device 40.0 us of 40.0 us"));
  CHECK(within.finding("exposed-copies")->next.find("pinned") == std::string::npos);
  CHECK(Diagnosed(kHealthy).is_silent("exposed-copies", Nothing::kNone));
}

TEST_CASE("memory taken from the system while it runs, and memory that is held for nothing") {
  const auto taking = [](int dur) { return record("cuda_runtime", "cudaMalloc", 1, 1, 1500, dur, "") + kHealthy; };
  CHECK(Diagnosed(taking(400)).cost_ns("memory-churn") == 400'000);
  CHECK(Diagnosed(taking(4)).is_silent("memory-churn", Nothing::kNone));
  // A free before anything was allocated makes the device's context.
  CHECK(Diagnosed(record("cuda_runtime", "cudaFree", 1, 1, 1, 400, "") + kHealthy)
            .is_silent("memory-churn", Nothing::kNone));

  Diagnosed held(kHealthy);
  CHECK(held.is_silent("fragmentation", Nothing::kNotRecorded));
  const auto count = [&](std::string_view name, double value) {
    Counter counter;
    counter.name = held.trace.capture.strings.add(name);
    counter.at_ns.push_back(1'000'000);
    counter.value.push_back(value);
    return counter;
  };
  auto& counters = held.trace.capture.profile.tracks.front().counters;
  counters = {count(kAllocatedCounter, 1e9), count("reserved", 3e9)};
  held.look();
  CHECK(held.is_silent("fragmentation", Nothing::kNone));  // nothing more was reserved: it is cache
  REQUIRE(held.finding("reserved-not-used") != nullptr);
  CHECK(!held.finding("reserved-not-used")->cost_ns);
  CHECK(held.finding("reserved-not-used")->detail == "2.00 GB of 3.00 GB; at its peak it holds 1.00 GB");
  counters = {count(kAllocatedCounter, 2.9e9), count("reserved", 3e9)};
  held.look();
  CHECK(held.is_silent("reserved-not-used", Nothing::kNone));
  // More is reserved for the same allocations.
  const auto add = [](Counter& counter, std::int64_t at_ns, double value) {
    counter.at_ns.push_back(at_ns);
    counter.value.push_back(value);
  };
  counters = {count(kAllocatedCounter, 1e9), count("reserved", 1e9)};
  add(counters[0], 1'100'000, 0.5e9), add(counters[0], 1'200'000, 1e9);
  add(counters[1], 1'200'000, 2.5e9);
  held.look();
  REQUIRE(held.finding("fragmentation") != nullptr);
  CHECK(held.finding("fragmentation")->detail == "1.50 GB of 2.50 GB; at its peak it holds 1.00 GB");
  CHECK(held.is_silent("reserved-not-used", Nothing::kNone));
  // More is reserved for more.
  add(counters[0], 1'200'001, 2.4e9);
  held.look();
  CHECK(held.is_silent("fragmentation", Nothing::kNone));
}

// What the allocator did: it holds a segment of 20 MiB, in which nothing lies, when so much is asked for, if anything.
void record_allocator(Capture& capture, std::uint64_t asked_bytes) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20, kBase = std::uint64_t{1} << 40;
  auto log = std::make_shared<AllocatorLog>();
  const auto enter = [&](AllocatorAction action, std::uint64_t address, std::uint64_t size_bytes) {
    log->entries.action.push_back(action);
    log->entries.at_ns.push_back(1'000'000);
    log->entries.address.push_back(address);
    log->entries.size_bytes.push_back(size_bytes);
  };
  enter(AllocatorAction::kSegmentAlloc, kBase, 20 * kMiB);
  if (asked_bytes > 0) enter(AllocatorAction::kOom, 512, asked_bytes);
  log->segments.push_back({.address = kBase, .size_bytes = 20 * kMiB, .from = 1});
  log->pools.push_back({});
  log->has_times = true;
  capture.profile.tracks.front().allocator = log;
}

TEST_CASE("memory that ran out: whether there was too little, or only no piece of it") {
  Diagnosed of(kHealthy);
  CHECK(of.is_silent("out-of-memory", Nothing::kNotRecorded));
  record_allocator(of.trace.capture, 0);
  of.look();
  CHECK(of.is_silent("out-of-memory", Nothing::kNone));
  record_allocator(of.trace.capture, std::uint64_t{64} << 20);
  of.look();
  const Finding* const found = of.finding("out-of-memory");
  REQUIRE(found != nullptr);
  CHECK(!found->cost_ns);
  CHECK(found->title == "out of memory once: 67.1 MB, too much");
  CHECK(found->detail ==
        "0 B allocated of 21.0 MB reserved; 21.0 MB free in segments, 21.0 MB of it in one piece, "
        "512 B on the device");
  CHECK(page_place(of.trace.capture, found->evidence.front().id));
}

TEST_CASE("a limit of the process is told apart from a device that is full") {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  CHECK(oom_reason(kGiB, 0, 0, 2 * kGiB) == OomReason::kLimit);
  CHECK(oom_reason(kGiB, 0, 0, 2 * kGiB - 1) == OomReason::kTooMuch);
  CHECK(oom_reason(kGiB, 0, 0, Allocation::kNoAddress) == OomReason::kTooMuch);
  CHECK(oom_reason(kGiB, 2 * kGiB, 0, 0) == OomReason::kFragmented);
  CHECK(oom_reason(kGiB, 2 * kGiB, kGiB, 9 * kGiB) == OomReason::kOtherPool);
}

// An allocator that makes an allocation of a line in each of six steps, and frees it in the next one or never.
void record_steps(Capture& capture, bool leaks) {
  constexpr std::int64_t kSteps = 6, kStep_ns = 100'000;
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  auto log = std::make_shared<AllocatorLog>();
  Track memory, named;
  named.name = capture.strings.add(kAnnotationsTrack);
  log->has_times = true;
  log->sites.push_back({.depth = 1, .frame = capture.strings.add("train.py:15:step")});
  log->pools.push_back({});
  for (std::int64_t step = 0; step < kSteps; ++step) {
    named.events.push_back({.start_ns = step * kStep_ns,
                            .dur_ns = kStep_ns - 1,
                            .name = capture.strings.add(fmt::format("step_{}", step))});
    log->entries.action.push_back(AllocatorAction::kAlloc);
    log->entries.at_ns.push_back(step * kStep_ns + 10);
    log->entries.address.push_back(0);
    log->entries.size_bytes.push_back(2 * kMiB);
    memory.allocations.push_back({.count = 2 * kMiB, .item_size_bytes = 1, .address = std::uint64_t(step) * 4 * kMiB});
    log->lives.requested_bytes.push_back(2 * kMiB);
    log->lives.born.push_back(static_cast<AllocatorMoment>(step + 1));
    log->lives.pool.push_back(0);
    log->lives.site.push_back(0);
    log->lives.flags.push_back(0);
    const AllocatorMoment done = leaks ? kNeverDone : static_cast<AllocatorMoment>(step + 2);
    log->lives.freed.push_back(done), log->lives.completed.push_back(done);
  }
  memory.allocator = log;
  capture.profile.tracks.push_back(std::move(memory));
  capture.profile.tracks.push_back(std::move(named));
}

TEST_CASE("memory that step after step leaves") {
  Diagnosed of(kHealthy);
  CHECK(of.is_silent("memory-leak", Nothing::kNotRecorded));
  record_steps(of.trace.capture, true);
  of.look();
  const Finding* const found = of.finding("memory-leak");
  REQUIRE(found != nullptr);
  // The line and the figures are those of `vizd memory`.
  const auto sums =
      sum_step_leaks(of.trace.capture, of.trace.capture.profile.tracks[of.trace.capture.profile.tracks.size() - 2]);
  REQUIRE(sums);
  CHECK(sums->judged == 4);
  CHECK(sums->sum.count == 4);
  CHECK(sums->bytes_per_step() == std::uint64_t{2} << 20);
  CHECK(found->title == "memory that each step leaves allocated: 2.10 MB a step");
  CHECK(found->detail == sums->text());
  CHECK(found->detail ==
        "2.10 MB a step of step_ are left by the next step too, 4 blocks in 4 steps, made by train.py:15:step");
  CHECK(found->sure == Sureness::kMeasured);
  CHECK(found->next.find("--leaks step_") != std::string::npos);
  Diagnosed freed(kHealthy);
  record_steps(freed.trace.capture, false);
  freed.look();
  CHECK(freed.is_silent("memory-leak", Nothing::kNone));
  CHECK(freed.absence("memory-leak").why == "no step of step_ left memory that the next did not free");
}

TEST_CASE("a step of a server that takes much longer than those that are alike") {
  const auto decoding = [](int longest) {
    std::string events = many(30, 200, 1, 500);
    for (int i = 0; i < 6; ++i)
      events += record("user_annotation", "execute_context_0(0)_generation_8(8)", 1, 2, 1000 + i * 900,
                       i == 3 ? longest : 100, "");
    return events;
  };
  CHECK(Diagnosed(decoding(800)).cost_ns("slow-server-steps") == 700'000);
  CHECK(Diagnosed(decoding(110)).is_silent("slow-server-steps", Nothing::kNone));
  CHECK(Diagnosed(kHealthy).is_silent("slow-server-steps", Nothing::kNotRecorded));
}

// A capture of a compiler alone: a pass of each of these times, with a match each.
struct Rewritten {
  explicit Rewritten(const std::vector<double>& seconds) : diagnosed("") {
    Capture& capture = diagnosed.trace.capture;
    capture.has_rewrites = true;
    Rewrites& rewrites = capture.rewrites;
    rewrites.locations = {{capture.strings.add("rules.py"), 1, StringId{kNoId}},
                          {capture.strings.add("rules.py"), 2, StringId{kNoId}}};
    for (std::uint32_t i = 0; i < seconds.size(); ++i) {
      rewrites.passes.push_back(
          {.name = capture.strings.add(fmt::format("pass {}", i)), .first_match = i, .match_count = 1});
      rewrites.matches.push_back({.rule = LocationId{i % 2}, .dur_s = seconds[i]});
    }
    rewrites.contexts = {
        {.name = capture.strings.add("E_4"), .pass_count = static_cast<std::uint32_t>(seconds.size())}};
    diagnosed.look();
  }
  Diagnosed diagnosed;
};

TEST_CASE("a pass that takes much of the time of rewriting") {
  const Rewritten uneven({0.01, 0.3});
  CHECK(uneven.diagnosed.cost_ns("costly-pass") == 300'000'000);
  CHECK(uneven.diagnosed.finding("costly-pass")->evidence[0].id == "pass:1");
  // A pass that ran inside of another is no time of that.
  Rewritten nested({0.5, 0.4});
  nested.diagnosed.trace.capture.rewrites.passes[1].depth = 1;
  nested.diagnosed.look();
  CHECK(nested.diagnosed.cost_ns("costly-pass") == 400'000'000);
  CHECK(nested.diagnosed.finding("costly-pass")->share == 0.8);
  CHECK(nested.diagnosed.finding("costly-pass")->evidence[0].id == "pass:1");
  CHECK(Rewritten({0.001, 0.003}).diagnosed.is_silent("costly-pass", Nothing::kNone));
  CHECK(Rewritten({-1, -1}).diagnosed.is_silent("costly-pass", Nothing::kNotRecorded));
}

TEST_CASE("a rule that takes back what another did") {
  Rewritten of({0.1, 0.1});
  RuleTable table;
  table.rows = {{.rule = LocationId{0}, .matches = 100, .dur_s = 0.1},
                {.rule = LocationId{1}, .matches = 50, .dur_s = 0.1}};
  table.undone = {{.undone = LocationId{0}, .by = LocationId{1}, .count = 20, .pass = 0, .from = 0, .to = 1}};
  of.diagnosed.look(&table);
  CHECK(of.diagnosed.cost_ns("undoing-rules") == 60'000'000);
  CHECK(of.diagnosed.finding("undoing-rules")->evidence[0].id == "match:0");
  table.undone[0].count = 2;
  of.diagnosed.look(&table);
  CHECK(of.diagnosed.is_silent("undoing-rules", Nothing::kNone));
}

TEST_CASE("a diagnosis as JSON has its links, and of what is silent which kind of nothing that is") {
  const Diagnosed late(launched("a\\u001b[31m", 0, 10, 100, 1) + launched("b", 300, 310, 90, 2));
  std::string text;
  JsonWriter json(text);
  write_diagnosis(json, late.trace.capture, late.diagnosis);
  const auto told = nlohmann::json::parse(text);
  const auto& first = told["findings"][0];
  CHECK(first["rule"] == "host-bound");
  CHECK(first["evidence"][0]["link"]["view"] == "timeline");
  CHECK(first["evidence"][0]["link"]["keys"]["time"] == "60000..360000");
  CHECK(first["evidence"][1]["link"]["keys"]["event"].get<std::string>().ends_with("|b"));
  for (const auto& silent : told["silent"])
    CHECK((silent["nothing"] == "none" || silent["nothing"] == "not recorded" || silent["nothing"] == "not asked"));
}

TEST_CASE("ids of what the capture has lead somewhere; others are errors that say so") {
  const Diagnosed of(launched("a", 0, 10, 100, 1));
  const Capture& capture = of.trace.capture;
  for (const std::string_view id : {"slice:0", "time:1..5", "kernel:gemm", "view:rules", "rule:a.py:3"})
    CHECK(page_place(capture, id));
  for (const std::string_view id : {"slice:9999", "slice:x", "slice:-1", "time:5..1", "time:5", "view:../x", "match:0",
                                    "pass:0", "context:1", "memory:99", "kernel:", "", ":", "nonsense"})
    CHECK(!page_place(capture, id));
  CHECK(page_place(capture, "time:1000..5000")->fragment("my trace") ==
        "view=timeline&capture=my%20trace&time=0..6000");
}

}  // namespace
}  // namespace vizd::diagnosis_rules_test
