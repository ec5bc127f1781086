#include "hardware/thread_trace/heat.h"

#include <algorithm>
#include <map>
#include <random>

#include "hardware/thread_trace/instruction_spans.h"
#include "hardware/thread_trace/instruction_walk.h"
#include "support/catch.h"
#include "support/made_trace.h"

namespace vizd::thread_trace::heat_test {
namespace {

constexpr std::uint64_t kScalarLoad = 0x01, kJump = 0x03, kJumpNo = 0x04, kBarrier = 0x13;

// By place: 0 s_load_b64, 1 s_waitcnt(0), 2 v_mov_b32, 3 s_barrier, 4 s_cbranch_scc0 to 2, 5 s_endpgm
amd::CodeListing made_code() {
  const std::string text = from_hex(
      "000004f4000000f8"
      "070489bf"
      "0203027e"
      "0000bdbf"
      "fdffa1bf"
      "0000b0bf");
  const std::string elf = made_elf(text, 0x100);
  auto listing = amd::CodeListing::read(amd::Family::kRdna3, bytes_of(elf));
  REQUIRE(listing);
  REQUIRE(listing->lines().size() == 6);
  return *std::move(listing);
}

Heat heat_of(const TraceWriter& trace, const amd::CodeListing& code, std::optional<std::uint32_t> only = {}) {
  HeatBuilder builder(amd::Family::kRdna3, code, only);
  builder.add(bytes_of(trace.finish()));
  return builder.finish();
}

const InstructionHeat& at(const Heat& heat, std::uint32_t place) {
  const auto found = std::ranges::find(heat.instructions, place, &InstructionHeat::place);
  REQUIRE(found != heat.instructions.end());
  return *found;
}

TraceWriter& immediate(TraceWriter& trace, std::uint64_t wave) { return trace.add(0b1101 | 1 << 4 | wave << 7, 3); }

TEST_CASE("heat: cycles are the wave's until its next instruction, those before a wait's packet the wait's") {
  const auto code = made_code();
  TraceWriter one;
  one.header(3).wave_start(1).inst(1, kScalarLoad).wait(19).wait(9);
  immediate(one, 1).valu(1).inst(1, kBarrier).wait(14).inst(1, kJump);
  one.valu(1).wait(5).inst(1, kBarrier).inst(1, kJumpNo).wait(7).wave_end(1);
  const Heat made = heat_of(one, code);
  CHECK(at(made, 0).cycles.total() == 1);  // all but one of 29 cycles are the wait's
  CHECK(at(made, 1).wait_cycles == 28);
  CHECK(at(made, 1).cycles.total() == 29);
  REQUIRE(made.waits.size() == 1);
  CHECK(made.waits[0].wait == 1);
  CHECK(made.waits[0].load == 0);
  CHECK(made.waits[0].cycles == 28);
  CHECK(at(made, 2).hits == 2);
  CHECK(at(made, 2).cycles.total() == 1 + 6);
  CHECK(at(made, 2).cycles.median() == 1);
  CHECK(at(made, 2).cycles.most() == 6);
  CHECK(at(made, 2).issue_cycles == 5);
  CHECK(at(made, 3).barrier_cycles == 14);
  CHECK(at(made, 5).hits == 1);
  CHECK(at(made, 5).end_cycles == 7);
  REQUIRE(made.waves.size() == 1);
  CHECK(made.waves[0].instructions == 8);
  CHECK(made.waves[0].has_ended);
  CHECK(made.waves[0].barrier_cycles == 14);
}

TEST_CASE("heat: a loop is folded to its iterations") {
  const auto code = made_code();
  TraceWriter trace;
  trace.header(3).wave_start(1).inst(1, kScalarLoad);
  immediate(trace, 1);
  for (int i = 0; i < 5; ++i)
    trace.valu(1).wait(static_cast<std::uint64_t>(4 + i)).inst(1, kBarrier).inst(1, i == 4 ? kJumpNo : kJump);
  trace.wave_end(1);
  const Heat heat = heat_of(trace, code);
  REQUIRE(heat.loops.size() == 1);
  CHECK(heat.loops[0].head == 2);
  CHECK(heat.loops[0].last == 4);
  CHECK(heat.loops[0].entries == 1);
  CHECK(heat.loops[0].iterations.count() == 5);
  CHECK(heat.loops[0].iterations.least() == 7);
  CHECK(heat.loops[0].iterations.median() == 9);
  CHECK(heat.loops[0].iterations.most() == 11);
}

TEST_CASE("heat: of one wave alone, and of waves that are not known") {
  const auto code = made_code();
  TraceWriter trace;
  trace.header(3).valu(9);  // began before the trace
  trace.wave_start(1).wave_start(2).inst(1, kScalarLoad).inst(2, kScalarLoad);
  immediate(trace, 1).valu(1);
  immediate(trace, 2);
  const Heat all = heat_of(trace, code), second = heat_of(trace, code, 1);
  CHECK(all.unplaced == 1);
  CHECK(all.waves.size() == 2);
  CHECK(at(all, 0).hits == 2);
  CHECK(at(second, 0).hits == 1);
  CHECK(second.waves.size() == 2);
  CHECK(std::ranges::find(second.instructions, 2u, &InstructionHeat::place) == second.instructions.end());
  CHECK_FALSE(all.waves[0].has_ended);
}

// The plain computation: each wave's steps in a list, looked at once it is whole.
struct Plain {
  std::map<std::uint32_t, std::uint64_t> hits;
  std::map<std::uint32_t, std::int64_t> cycles;
};
Plain plain_heat(std::span<const std::byte> trace, const amd::CodeListing& code) {
  std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, std::int64_t>>> waves;
  Plain plain;
  const auto place = [&](std::uint64_t address) { return *code.find(address); };
  walk_instructions(trace, &code, [&](const Step& step) {
    const auto wave = step.packet.value("wave");
    const bool ends = step.packet.kind() == PacketKind::kWaveEnd;
    if (step.line == nullptr && !ends) return true;
    auto& steps = waves[wave];
    steps.emplace_back(place(*step.address), step.packet.at_cycle);
    if (!ends) return true;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      ++plain.hits[steps[i].first];
      if (i + 1 == steps.size()) continue;
      const std::int64_t passed = steps[i + 1].second - steps[i].second;
      const bool is_waited = steps[i + 1].first == 1 || steps[i + 1].first == 5;  // s_waitcnt, s_endpgm
      plain.cycles[steps[i].first] += is_waited ? 1 : passed;
      if (is_waited) plain.cycles[steps[i + 1].first] += passed - 1;
    }
    steps.clear();
    return true;
  });
  return plain;
}

// The spans of a timeline, summed up; those of a wave must follow each other.
class SpanSums : public SpanSink {
 public:
  std::uint64_t begin(const IssuedInstruction& made) override {
    spans_.push_back(made);
    if (const auto last = ends_.find(made.slot); last != ends_.end()) CHECK(made.start_cycle == last->second);
    return spans_.size() - 1;
  }
  void end(std::uint64_t instruction, std::int64_t end_cycle, bool) override {
    const IssuedInstruction& made = spans_[instruction];
    if (made.place) cycles[*made.place] += end_cycle - made.start_cycle;
    if (made.place == 5u) {
      ends_.erase(made.slot);
    } else {
      ends_[made.slot] = end_cycle;
    }
  }
  void execute(const UnitExecution& made) override { executions += made.instruction.has_value(); }
  bool is_full() const override { return false; }

  std::map<std::uint32_t, std::int64_t> cycles;  // by place
  std::uint64_t executions = 0;

 private:
  std::vector<IssuedInstruction> spans_;
  std::map<std::uint32_t, std::int64_t> ends_;  // by slot
};

TEST_CASE("spans: a wait begins where what came before has ended, and an execution is of its dispatch") {
  const auto code = made_code();
  TraceWriter trace;
  trace.header(3).wave_start(1).inst(1, kScalarLoad).wait(19);
  immediate(trace, 1).valu(1).add(0b1110 | 2 << 6, 2).inst(1, kBarrier).inst(1, kJumpNo).wait(7).wave_end(1);
  SpanSums spans;
  CHECK(walk_spans(bytes_of(trace.finish()), amd::Family::kRdna3, &code, spans) == 0);
  CHECK(spans.cycles[0] == 1);
  CHECK(spans.cycles[1] > 18);
  CHECK(spans.executions == 1);
  SpanSums without;
  walk_spans(bytes_of(trace.finish()), amd::Family::kRdna3, nullptr, without);
  CHECK(without.cycles.empty());
}

TEST_CASE("heat: equals the plain computation on waves at random, and no cycle is lost") {
  const auto code = made_code();
  std::mt19937 random(7);
  TraceWriter trace;
  trace.header(3);
  std::map<std::uint64_t, std::uint32_t> places;  // of running waves, the next instruction
  for (int i = 0; i < 4000; ++i) {
    const std::uint64_t wave = random() % 16;
    if (random() % 2 == 0) trace.wait(4 + random() % 16);
    const auto found = places.find(wave);
    if (found == places.end()) {
      trace.wave_start(wave);
      places[wave] = 0;
      continue;
    }
    std::uint32_t& at = found->second;
    if (at == 5) {
      trace.wave_end(wave);
      places.erase(found);
      continue;
    }
    const bool again = at == 4 && random() % 3 != 0;
    if (at == 0) trace.inst(wave, kScalarLoad);
    if (at == 1) immediate(trace, wave);
    if (at == 2) trace.valu(wave);
    if (at == 3) trace.inst(wave, kBarrier);
    if (at == 4) trace.inst(wave, again ? kJump : kJumpNo);
    at = again ? 2 : at + 1;
  }
  for (const auto& [wave, at] : places) {  // to the end, so that the plain computation sees them
    if (at == 0) trace.inst(wave, kScalarLoad);
    if (at <= 1) immediate(trace, wave);
    if (at <= 2) trace.valu(wave);
    if (at <= 3) trace.inst(wave, kBarrier);
    if (at <= 4) trace.inst(wave, kJumpNo);
    trace.wave_end(wave);
  }
  const std::string packets = trace.finish();
  const Heat heat = heat_of(trace, code);
  const Plain plain = plain_heat(bytes_of(packets), code);
  REQUIRE(heat.waves.size() > 100);
  std::int64_t of_instructions = 0, of_waves = 0;
  for (const InstructionHeat& instruction : heat.instructions) {
    CAPTURE(instruction.place);
    CHECK(instruction.hits == plain.hits.at(instruction.place));
    CHECK(instruction.cycles.total() == plain.cycles.at(instruction.place));
    of_instructions += instruction.cycles.total();
  }
  for (const WaveHeat& wave : heat.waves) of_waves += wave.end_cycle - wave.start_cycle;
  CHECK(of_instructions == of_waves);
  SpanSums spans;
  walk_spans(bytes_of(packets), amd::Family::kRdna3, &code, spans);
  for (const InstructionHeat& instruction : heat.instructions)
    CHECK(spans.cycles.at(instruction.place) == instruction.cycles.total());
  CHECK(heat.instructions.size() == 6);
}

}  // namespace
}  // namespace vizd::thread_trace::heat_test
