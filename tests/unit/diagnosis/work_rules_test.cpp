// Rules about what the devices' work is as a whole, and about the recording itself: each on a capture where it holds,
// with its figure recomputed, and on one where it stays silent.
#include "analysis/recorded_rows.h"
#include "model/hardware_value.h"
#include "support/diagnosed_trace.h"

namespace vizd::work_rules_test {
namespace {

// Overcounted bytes give no rate: 1 GiB added up in 10 us would be 322 TB/s.
TEST_CASE("rates above a device's peak are no finding: what is counted is too much") {
  const auto sum = [](int dur) {
    return record("cpu_op", "aten::add", 1, 1, 0, 20,
                  R"("External id":5,"Input Dims":[[16384,16384],[16384,16384],[]],)"
                  R"("Input type":["float","float","Scalar"])") +
           launched("elementwise_kernel", 5, 20, dur, 1, R"("External id":5)");
  };
  const Diagnosed over(sum(10));
  const auto rows = over.trace.rows();
  const KernelRow& row = over.trace.row(rows, "elementwise_kernel");
  CHECK(row.bytes.sum == 3.0 * 16384 * 16384 * 4);
  CHECK(row.overcounted() == "bytes overcounted");
  CHECK(!row.bytes_per_s());
  CHECK(over.is_silent("far-from-roofline", Nothing::kNone));
  CHECK(over.absence("far-from-roofline").why == "what is known is above the device's peak: bytes overcounted");
  // Ten milliseconds are longer than the device takes at its peak.
  const Diagnosed under(sum(10'000));
  CHECK(under.trace.rows()[0].overcounted().empty());
  CHECK(under.finding("far-from-roofline") != nullptr);
}

struct Work {
  std::string_view name;
  std::int64_t start_ns = 0, dur_ns = 0;
};

// A capture that is no trace: a device whose lanes of that kind did such work.
struct Worked {
  explicit Worked(TrackKind kind, const std::vector<std::vector<Work>>& lanes, std::string_view format = "bigtpu")
      : diagnosed("") {
    Capture& capture = diagnosed.trace.capture;
    capture.profile = {};
    capture.format = format;
    capture.has_profile = true;
    Track& core = capture.profile.tracks.emplace_back();
    core.name = capture.strings.add("core 0");
    core.kind = TrackKind::kDevice;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      Track track;
      track.name = capture.strings.add(fmt::format("engine {}", lane));
      track.kind = kind;
      track.parent = 0;
      for (const Work& work : lanes[lane]) {
        track.events.push_back({.start_ns = work.start_ns,
                                .dur_ns = work.dur_ns,
                                .name = capture.strings.add(work.name),
                                .role = EventRole::kKernel});
      }
      capture.profile.tracks.push_back(std::move(track));
    }
    diagnosed.trace.timeline = prepare_timeline(capture, 1);
    diagnosed.trace.analysis = analyse_devices(capture);
    diagnosed.look();
  }
  Diagnosed diagnosed;
};

TEST_CASE("the engine that bounds a device is the one that is busy longest, where that is half of the time") {
  const std::vector<std::vector<Work>> lanes{{{"conv", 0, 60}, {"conv", 70, 20}}, {{"load", 10, 30}, {"load", 90, 10}}};
  const Worked bound(TrackKind::kEngine, lanes);
  CHECK(bound.diagnosed.cost_ns("bounding-engine") == 60 + 20);
  const Finding& found = *bound.diagnosed.finding("bounding-engine");
  CHECK(found.share == 0.8);  // of 0 to 100
  CHECK(found.title == "one engine bounds the device: engine 0");
  CHECK(found.detail == "it is busy for 80.0 % of its device's time, longer than any other of 2 engines");
  CHECK(found.is_no_loss);
  CHECK(found.evidence.at(0).id == "track:1");
  CHECK(Worked(TrackKind::kEngine, {{{"conv", 0, 49}}, {{"load", 49, 51 - 10}, {"load", 99, 1}}})
            .diagnosed.is_silent("bounding-engine", Nothing::kNone));
  CHECK(Worked(TrackKind::kEngine, {{{"conv", 0, 90}}}).diagnosed.is_silent("bounding-engine", Nothing::kNone));
  CHECK(Worked(TrackKind::kStream, lanes).diagnosed.is_silent("bounding-engine", Nothing::kNone));
  CHECK(Diagnosed(kernel("a", 7, 0, 10, "")).is_silent("bounding-engine", Nothing::kNone));
}

TEST_CASE("the slowest operator of an ExecuTorch program is the one whose calls take most in all") {
  const std::vector<std::vector<Work>> operators{
      {{"native_call_mm.out", 0, 30}, {"native_call_add.out", 30, 40}, {"native_call_mm.out", 70, 30}}};
  const Worked slow(TrackKind::kStream, operators, "etdump");
  CHECK(slow.diagnosed.cost_ns("slowest-operator") == 30 + 30);
  const Finding& found = *slow.diagnosed.finding("slowest-operator");
  CHECK(found.share == 0.6);
  CHECK(found.title == "the slowest operator: native_call_mm.out");
  CHECK(found.detail == "2 calls, the longest 30 ns");
  CHECK(found.evidence.at(0).id == "kernel:native_call_mm.out");
  CHECK(slow.diagnosed.is_silent("dominating-work", Nothing::kNone));
  // Nothing is reported where many take as long, nor for captures of another kind.
  std::vector<Work> even;
  const std::vector<std::string> names{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"};
  for (std::size_t i = 0; i < names.size(); ++i) even.push_back({names[i], static_cast<std::int64_t>(i) * 10, 10});
  CHECK(Worked(TrackKind::kStream, {even}, "etdump").diagnosed.is_silent("slowest-operator", Nothing::kNone));
  CHECK(Worked(TrackKind::kStream, operators).diagnosed.is_silent("slowest-operator", Nothing::kNone));
}

RecordedRows recorded(const std::vector<RecordedRows::Instruction>& instructions) {
  RecordedRows rows;
  rows.runs.resize(2);
  for (RecordedRows::Run& run : rows.runs) run.kernel = "gemm";
  rows.instructions = instructions;
  return rows;
}

TEST_CASE("the instruction that holds the waves of a thread trace, over all runs of its kernel") {
  Diagnosed of(kernel("gemm", 7, 0, 10, ""));
  CHECK(of.is_silent("waiting-instruction", Nothing::kNotRecorded));
  Capture& capture = of.trace.capture;
  capture.strings.add(kHardwareRecords);
  const auto executed = [](std::uint64_t address, std::string_view text, std::int64_t cycles) {
    RecordedRows::Instruction made;
    made.address = address, made.text = text, made.hits = 2, made.cycles = cycles;
    return made;
  };
  const RecordedRows::Instruction load = executed(0, "global_load_b32(v[5])", 10);
  RecordedRows::Instruction wait = executed(8, "s_waitcnt()", 100);
  wait.wait_cycles = 90, wait.issue_cycles = 4, wait.waits_for = load.text;
  RecordedRows::Instruction again = wait;
  again.run = 1;
  // Waits for the wave's end are none.
  RecordedRows::Instruction end = executed(16, "s_endpgm()", 190);
  end.end_cycles = 190;
  const RecordedRows rows = recorded({load, wait, again, end});
  of.look(nullptr, &rows);
  REQUIRE(of.finding("waiting-instruction") != nullptr);
  const Finding& found = *of.finding("waiting-instruction");
  CHECK(found.share == 188.0 / 400);
  CHECK(found.title == "waves stall at one instruction of gemm: s_waitcnt()");
  CHECK(found.detail ==
        "188 of 400 cycles of the traced waves, at 0x8, in 4 executions: 180 for memory, most of them for "
        "global_load_b32(v[5]), 0 at the barrier, 8 until the next instruction is issued");
  CHECK(found.next.starts_with("load earlier"));
  CHECK(!found.cost_ns);
  for (const Evidence& evidence : found.evidence) CHECK(page_place(capture, evidence.id));

  wait.barrier_cycles = 95, wait.wait_cycles = 0;
  const RecordedRows at_barrier = recorded({load, wait});
  of.look(nullptr, &at_barrier);
  CHECK(of.finding("waiting-instruction")->next.starts_with("give the waves of a group equal work"));
  const RecordedRows running = recorded({load, end});
  of.look(nullptr, &running);
  CHECK(of.is_silent("waiting-instruction", Nothing::kNone));
}

TEST_CASE("impossible durations: negative ones, and kernels that hold others of their stream") {
  const std::string negative = record("cpu_op", "aten::mm", 1, 1, 40, -5, "");
  const Diagnosed one(kernel("a", 7, 0, 10, "") + kernel("b", 7, 20, 10, "") + kernel("b", 7, 30, 10, "") + negative);
  REQUIRE(one.finding("impossible-durations") != nullptr);
  CHECK(one.finding("impossible-durations")->detail == "1 event with a negative duration, not counted as work");
  CHECK(one.finding("impossible-durations")->share == 0.25);
  CHECK(one.diagnosis.findings.back().rule == "impossible-durations");
  const Diagnosed held(kernel("a", 7, 0, 100, "") + kernel("b", 7, 20, 10, "") + kernel("b", 7, 30, 10, "") + negative);
  CHECK(held.finding("impossible-durations")
            ->detail.ends_with("not counted as work; while a kernel runs, 100 us of a, 2 others of its stream "
                               "begin and end, though a stream runs one kernel after another"));
  for (const Evidence& evidence : held.finding("impossible-durations")->evidence)
    CHECK(page_place(held.trace.capture, evidence.id));
  // Kernels of two streams run at once, and one after another on one.
  const Diagnosed two(kernel("a", 7, 0, 100, "") + kernel("b", 8, 20, 10, "") + kernel("b", 7, 100, 10, ""));
  CHECK(two.is_silent("impossible-durations", Nothing::kNone));
}

}  // namespace
}  // namespace vizd::work_rules_test
