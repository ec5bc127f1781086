#include "hardware/thread_trace/lanes.h"

#include "support/catch.h"
#include "support/made_trace.h"

namespace vizd::thread_trace::lanes_test {
namespace {

constexpr std::uint64_t kSalu = 0x00, kJump = 0x03, kJumpNo = 0x04, kTranscendental = 0x0b, kBarrier = 0x13;

// s_mov_b32, s_delay_alu, v_mov_b32, s_cbranch_scc0 to the second, s_endpgm
amd::CodeListing made_code() {
  const std::string text = from_hex(
      "880081be"
      "010087bf"
      "0203027e"
      "fdffa1bf"
      "0000b0bf");
  const std::string elf = made_elf(text, 0x100);
  auto listing = amd::CodeListing::read(amd::Family::kRdna3, bytes_of(elf));
  REQUIRE(listing);
  return *std::move(listing);
}

const Lane& lane(const Lanes& lanes, std::string_view name) {
  const auto found = std::ranges::find(lanes.lanes, name, &Lane::name);
  REQUIRE(found != lanes.lanes.end());
  return *found;
}

std::vector<std::optional<std::uint64_t>> addresses(const Lane& lane) {
  std::vector<std::optional<std::uint64_t>> all;
  for (const LaneEvent& event : lane.events) all.push_back(event.address);
  return all;
}

TEST_CASE("lanes: a wave's packets take its instructions one by one, past waits and along jumps", "[hardware]") {
  const auto code = made_code();
  TraceWriter trace;
  trace.header(3).wave_start(2).inst(2, kSalu).valu(2).inst(2, kJump).valu(2).inst(2, kJumpNo).wave_end(2);
  const Lanes lanes = lanes_of(bytes_of(trace.finish()), &code);
  const Lane& wave = lane(lanes, "WAVE:2");
  CHECK(addresses(wave) == std::vector<std::optional<std::uint64_t>>{0x100, 0x108, 0x10c, 0x108, 0x10c, 0x110});
  CHECK(lanes.names[wave.events[1].name] == "VALUINST");
  CHECK(lanes.names[wave.events[5].name] == "WAVEEND");
  CHECK(wave.events[1].end_cycle - wave.events[1].start_cycle == 1);
}

TEST_CASE("lanes: a wave whose place is not known is shown without instructions", "[hardware]") {
  const auto code = made_code();
  const auto unknown = [&](TraceWriter trace, const amd::CodeListing* listing) {
    const Lanes lanes = lanes_of(bytes_of(trace.finish()), listing);
    const Lane& wave = lane(lanes, "WAVE:1");
    return std::ranges::all_of(wave.events, [](const LaneEvent& event) { return !event.address.has_value(); });
  };
  CHECK(unknown(TraceWriter().header(3).valu(1).wave_end(1), &code));  // begun before the trace
  CHECK(unknown(TraceWriter().header(3).wave_start(1).valu(1).wave_end(1), nullptr));
  // A branch must come with a packet of its own: from there on nothing is known.
  const Lanes lanes =
      lanes_of(bytes_of(TraceWriter().header(3).wave_start(1).inst(1, kSalu).valu(1).valu(1).valu(1).finish()), &code);
  CHECK(addresses(lane(lanes, "WAVE:1")) ==
        std::vector<std::optional<std::uint64_t>>{0x100, 0x108, std::nullopt, std::nullopt});
}

TEST_CASE("lanes: waves of other units of the engine are not the traced one's", "[hardware]") {
  const Lanes lanes =
      lanes_of(bytes_of(TraceWriter().header(3).wave_start(4, 2).wave_end(4, 2).wave_end(5).finish()), nullptr);
  REQUIRE(lanes.lanes.size() == 1);
  CHECK(lanes.lanes[0].name == "WAVE:5");
}

TEST_CASE("lanes: an execution leads to the oldest dispatch of its unit, and takes the cycles of its operation",
          "[hardware]") {
  constexpr std::uint64_t kValuUnit = 2, kSaluUnit = 1, kBoth = 3;
  TraceWriter trace;
  trace.header(3).inst(0, kTranscendental).inst(1, kSalu).valu(1).wait(10).alu_exec(kBoth).alu_exec(kValuUnit);
  const Lanes lanes = lanes_of(bytes_of(trace.finish()), nullptr);
  const LaneEvent& slow = lane(lanes, "ALUEXEC:0 TFU").events.at(0);
  CHECK(slow.start_cycle == 14);
  CHECK(slow.end_cycle == 18);
  const std::uint32_t wave0 = 0, wave1 = 1;  // lanes in order of first appearance
  CHECK(slow.dispatch == std::pair(wave0, 0u));
  CHECK(lane(lanes, "ALUEXEC:0 SALU").events.at(0).dispatch == std::pair(wave1, 0u));
  const LaneEvent& vector = lane(lanes, "ALUEXEC:0 VALU").events.at(0);
  CHECK(vector.dispatch == std::pair(wave1, 1u));
  CHECK(vector.end_cycle == 15);  // the packet marks its end
  CHECK(lanes.unlinked == 0);
  CHECK(lanes_of(bytes_of(TraceWriter().header(3).alu_exec(kSaluUnit).finish()), nullptr).unlinked == 1);
}

TEST_CASE("lanes: a barrier lasts until the wave goes on", "[hardware]") {
  TraceWriter trace;
  trace.header(3).inst(3, kBarrier).wait(19).valu(4).add(0b10100 | 1 << 5 | (1 << 3 | 1 << 4) << 8, 6);
  const Lanes lanes = lanes_of(bytes_of(trace.finish()), nullptr);
  const Lane& wave = lane(lanes, "WAVE:3");
  REQUIRE(wave.events.size() == 2);
  CHECK(wave.events[0].end_cycle - wave.events[0].start_cycle == 21);
  CHECK(lanes.names[wave.events[1].name] == "WAVERDY");
  CHECK(lane(lanes, "WAVE:4").events.size() == 1);  // it waits at no barrier
  // Cut before the wave goes on, it is as long as any other dispatch: the trace, the lane, the barrier.
  const Lanes cut = lanes_of(bytes_of(trace.finish()), nullptr, 3);
  CHECK(cut.is_cut);
  CHECK(lane(cut, "WAVE:3").events.at(0).end_cycle == 2);
}

TEST_CASE("lanes: two markers tell the shader's clock between them", "[hardware]") {
  const auto marker = [](std::uint64_t ticks) { return 0b0000001 | 1ull << 9 | ticks << 12; };
  TraceWriter trace;
  trace.header(3).add(marker(100), 12).add(0b0000001 | 2500ull << 12, 12).add(marker(200), 12).add(marker(200), 12);
  const Lanes lanes = lanes_of(bytes_of(trace.finish()), nullptr);
  REQUIRE(lanes.clock.size() == 1);  // nothing is said by two of one time
  CHECK(lanes.clock[0].at_cycle == 2500);
  CHECK(lanes.clock[0].hz == 2'500'000'000);
}

}  // namespace
}  // namespace vizd::thread_trace::lanes_test
