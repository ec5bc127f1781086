// What allocations are made in, and who holds a memory, on traces of PyTorch's profiler written here.
#include "timeline/allocation_origins.h"

#include <algorithm>
#include <string>

#include "support/analysed_trace.h"
#include "support/catch.h"
#include "timeline/live_set.h"
#include "timeline/memory_holders.h"

namespace vizd::allocation_origins_test {
namespace {

constexpr int kPid = 7;

std::string operation(std::string_view name, int tid, int ts, int dur) {
  return record("cpu_op", name, kPid, tid, ts, dur, "");
}

std::string python(std::string_view name, int tid, int ts, int dur) {
  return record("python_function", name, kPid, tid, ts, dur, "");
}

// address 0: the report has none.
std::string report(int tid, int ts, int bytes, int address, int total, int type = 1) {
  const std::string at = address == 0 ? "" : fmt::format(R"("Addr":{},"Total Allocated":{},)", address, total);
  return fmt::format(
      R"({{"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":{},"tid":{},"ts":{},"args":{{{})"
      R"("Device Type":{},"Device Id":{},"Bytes":{}}}}},)",
      kPid, tid, ts, at, type, type == 0 ? -1 : 0, bytes);
}

struct TracedMemory {
  explicit TracedMemory(const std::string& events) : trace(events) {
    const auto& tracks = trace.capture.profile.tracks;
    const auto found = std::ranges::find(tracks, TrackKind::kMemory, &Track::kind);
    REQUIRE(found != tracks.end());
    lane = static_cast<std::uint32_t>(found - tracks.begin());
    origins = find_allocation_origins(trace.capture, trace.timeline, lane);
  }

  const Track& track() const { return trace.capture.profile.tracks[lane]; }
  const LaneMemory& memory() const { return trace.timeline.lanes[lane].memory; }
  std::string name(std::size_t place, std::uint32_t AllocationOrigin::*event) const {
    const AllocationOrigin& origin = origins.of[place];
    if (origin.*event == kNoId) return "";
    return std::string(
        trace.capture.strings.get(trace.capture.profile.tracks[origin.track].events.name(origin.*event)));
  }
  std::vector<std::string> holders(HolderGroup group, std::size_t moment, std::size_t before = 0) const {
    const MemoryHolders all(trace.capture, trace.timeline, lane, origins, group);
    std::vector<std::string> lines;
    for (const MemoryHolder& holder : all.list(moment, before)) {
      const std::string name = holder.id == kEarlierHolder ? "(earlier)" : std::string(all.name_of(holder));
      lines.push_back(
          fmt::format("{} {} {} {}", name, holder.bytes, holder.allocations,
                      static_cast<std::int64_t>(holder.bytes) - static_cast<std::int64_t>(holder.before_bytes)));
    }
    return lines;
  }

  Analysed trace;
  std::uint32_t lane = 0;
  AllocationOrigins origins;
};

// Two threads whose operators overlap in time; the second is recorded first.
const std::string kTwoThreads =
    operation("aten::mm_backward", 2, 10, 100) + operation("aten::empty", 2, 20, 10) +
    python("model.py(5): forward", 1, 0, 200) + python("nn.Module: Net_0", 1, 1, 190) +
    python("torch/nn/modules/module.py(9): _call_impl", 1, 2, 180) + python("nn.Module: Linear_0", 1, 10, 80) +
    python("torch/nn/modules/linear.py(124): forward", 1, 11, 70) + python("<built-in function linear>", 1, 12, 60) +
    operation("aten::linear", 1, 15, 50) + operation("aten::addmm", 1, 16, 40) + operation("aten::empty", 1, 17, 20) +
    operation("aten::relu", 1, 70, 20) + report(1, 18, 1000, 64, 51000) + report(2, 25, 4000, 128, 55000) +
    report(1, 75, 200, 256, 55200) + report(1, 120, 10, 512, 55210) + report(1, 150, -1000, 64, 54210) +
    report(1, 160, -300, 1024, 53910);

TEST_CASE("an allocation is made in the innermost operator of its own thread", "[memory]") {
  const TracedMemory made(kTwoThreads);
  REQUIRE(made.origins.of.size() == 5);
  REQUIRE(made.track().allocations[0].is_earlier);
  CHECK(made.origins.of[0].kind == OriginKind::kNone);
  CHECK(made.name(1, &AllocationOrigin::operation) == "aten::addmm");  // not the aten::empty in it
  CHECK(made.name(1, &AllocationOrigin::module) == "nn.Module: Linear_0");
  CHECK(made.name(1, &AllocationOrigin::python_line) == "model.py(5): forward");  // not a line of PyTorch's own
  CHECK(made.name(2, &AllocationOrigin::operation) == "aten::mm_backward");
  CHECK(made.name(2, &AllocationOrigin::module).empty());
  CHECK(made.name(3, &AllocationOrigin::operation) == "aten::relu");
  CHECK(made.name(3, &AllocationOrigin::module) == "nn.Module: Linear_0");
  CHECK(made.name(4, &AllocationOrigin::operation).empty());  // none of that thread runs then
  CHECK(made.name(4, &AllocationOrigin::module) == "nn.Module: Net_0");
  CHECK(made.origins.of[4].kind == OriginKind::kThread);
}

TEST_CASE("the record of an allocation is never what it was made in", "[memory]") {
  const TracedMemory made(report(1, 10, 8, 64, 8) + operation("aten::add", 1, 20, 5) + report(1, 22, 8, 128, 16));
  CHECK(made.origins.of[0].kind == OriginKind::kNone);
  CHECK(made.name(1, &AllocationOrigin::operation) == "aten::add");
}

TEST_CASE("an operator holds what is made at its very ends; of two that touch, the later one", "[memory]") {
  const TracedMemory made(operation("aten::a", 1, 10, 10) + operation("aten::b", 1, 20, 10) +
                          operation("aten::none", 1, 40, 0) + report(1, 10, 1, 1, 1) + report(1, 20, 2, 2, 3) +
                          report(1, 30, 4, 3, 7) + report(1, 40, 8, 4, 15));
  CHECK(made.name(0, &AllocationOrigin::operation) == "aten::a");
  CHECK(made.name(1, &AllocationOrigin::operation) == "aten::b");
  CHECK(made.name(2, &AllocationOrigin::operation) == "aten::b");
  CHECK(made.name(3, &AllocationOrigin::operation) == "aten::none");
}

TEST_CASE("an operator that only makes memory holds what no other operator is around of", "[memory]") {
  const TracedMemory made(operation("aten::empty", 1, 10, 10) + report(1, 15, 1, 1, 1));
  CHECK(made.name(0, &AllocationOrigin::operation) == "aten::empty");
}

TEST_CASE("holders come by operator, module and line, the largest first, with what they grew by", "[memory]") {
  const TracedMemory made(kTwoThreads);
  const std::size_t peak = peak_moment(made.memory());
  CHECK(live_bytes(made.memory(), peak) == 5510);
  CHECK(made.holders(HolderGroup::kOperator, peak, moment_at(made.memory(), made.trace.capture.profile.start_ns)) ==
        std::vector<std::string>{"aten::mm_backward 4000 1 4000", "aten::addmm 1000 1 1000", "(earlier) 300 1 0",
                                 "aten::relu 200 1 200", " 10 1 10"});
  CHECK(made.holders(HolderGroup::kModule, peak) ==
        std::vector<std::string>{" 4000 1 4000", "Linear_0 1200 2 1200", "(earlier) 300 1 300", "Net_0 10 1 10"});
  CHECK(made.holders(HolderGroup::kLine, peak) ==
        std::vector<std::string>{" 4000 1 4000", "model.py(5): forward 1210 3 1210", "(earlier) 300 1 300"});
  // What shrank to nothing is told too.
  CHECK(made.holders(HolderGroup::kOperator, last_moment(made.memory()), peak) ==
        std::vector<std::string>{"aten::mm_backward 4000 1 0", "aten::relu 200 1 0", " 10 1 0", "aten::addmm 0 0 -1000",
                                 "(earlier) 0 0 -300"});
}

TEST_CASE("the modules of a holder are told from the outermost on", "[memory]") {
  const TracedMemory made(kTwoThreads);
  const MemoryHolders all(made.trace.capture, made.trace.timeline, made.lane, made.origins, HolderGroup::kOperator);
  const std::vector<MemoryHolder> holders = all.list(peak_moment(made.memory()), 0);
  CHECK(all.modules_of(holders[0]).empty());
  CHECK(all.modules_of(holders[1]) == "Net_0 / Linear_0");
}

TEST_CASE("what the allocator held before and never lists is told by its counter", "[memory]") {
  const TracedMemory made(kTwoThreads);
  CHECK(unlisted_bytes(made.track(), made.memory(), made.trace.capture.strings) == 49'700);
  const TracedMemory silent(report(1, 10, 8, 0, 0) + report(1, 20, -8, 0, 0));
  CHECK(unlisted_bytes(silent.track(), silent.memory(), silent.trace.capture.strings) == std::nullopt);
}

TEST_CASE("the peak of a range counts what is alive when it begins", "[memory]") {
  const TracedMemory made(kTwoThreads);
  const std::int64_t start_ns = made.trace.capture.profile.start_ns;
  const auto peak = [&](std::int64_t from_us, std::int64_t to_us) {
    return live_bytes(made.memory(), peak_moment(made.memory(), start_ns + from_us * 1000, start_ns + to_us * 1000));
  };
  CHECK(peak(0, 200) == 5510);
  CHECK(peak(0, 20) == 1300);
  CHECK(peak(100, 110) == 5500);
  CHECK(peak(155, 200) == 4510);
}

TEST_CASE("without addresses a free is of the last allocation of its size", "[memory]") {
  const TracedMemory made(operation("aten::a", 1, 5, 10) + operation("aten::b", 1, 20, 10) + report(1, 10, 64, 0, 0) +
                          report(1, 25, 64, 0, 0) + report(1, 26, 32, 0, 0) + report(1, 40, -64, 0, 0) +
                          report(1, 50, -16, 0, 0));
  const auto& allocations = made.track().allocations;
  REQUIRE(allocations.size() == 4);
  CHECK(allocations[0].is_earlier);
  CHECK(allocations[0].size_bytes() == 16);
  CHECK_FALSE(allocations[1].freed);
  CHECK(allocations[2].freed);
  CHECK_FALSE(allocations[3].freed);
  CHECK_FALSE(made.memory().layout.addressed);
  CHECK(made.memory().layout.peak_bytes == 176);
  REQUIRE(made.trace.capture.notes.size() == 1);
  CHECK(made.trace.capture.notes[0].starts_with("cuda:0 memory: "));
}

TEST_CASE("a thread is the same whether the trace writes its number or a text of it") {
  const std::string written = R"({"ph":"X","cat":"Operator","name":"aten::mul","pid":7,"tid":"1","ts":5,"dur":9},)";
  const TracedMemory made(written + report(1, 10, 8, 64, 8));
  CHECK(made.name(0, &AllocationOrigin::operation) == "aten::mul");
}

TEST_CASE("memories are called as PyTorch calls their devices", "[memory]") {
  const auto name = [](int type) {
    const TracedMemory made(report(1, 10, 8, 64, 8, type));
    return std::string(made.trace.capture.strings.get(made.track().name));
  };
  CHECK(name(0) == "CPU memory");
  CHECK(name(1) == "cuda:0 memory");
  CHECK(name(6) == "hip:0 memory");
  CHECK(name(77) == "memory of device 0 of type 77");
}

}  // namespace
}  // namespace vizd::allocation_origins_test
