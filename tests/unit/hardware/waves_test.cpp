#include "hardware/thread_trace/waves.h"

#include "support/catch.h"
#include "support/made_trace.h"

namespace vizd::thread_trace::waves_test {
namespace {

std::uint64_t marker(std::uint64_t ticks) { return 0b0000001 | 1ull << 9 | ticks << 12; }
std::uint64_t cycles(std::uint64_t count) { return 0b0000001 | count << 12; }

TEST_CASE("waves: of all units of the engine, from their beginning to their end", "[hardware]") {
  TraceWriter trace;
  trace.header(3).wave_start(1).wave_start(1, 2).wave_end(1).wave_end(7).wave_start(1, 2).wait(9);
  const Waves waves = waves_of(bytes_of(trace.finish()));
  REQUIRE(waves.waves.size() == 3);
  CHECK(waves.begun_before == 1);
  CHECK(waves.waves[0].simd == 0);
  CHECK(waves.waves[0].slot == 1);
  CHECK(waves.waves[0].start_cycle == 1);
  CHECK(waves.waves[0].end_cycle == 3);
  CHECK(waves.waves[0].has_ended);
  CHECK_FALSE(waves.waves[1].has_ended);  // its slot began another
  CHECK(waves.waves[1].end_cycle == 5);
  CHECK_FALSE(waves.waves[2].has_ended);  // the trace ended
  CHECK(waves.waves[2].end_cycle == 14);
}

TEST_CASE("waves: cycles are told in time by the readings of the real-time clock around them", "[hardware]") {
  TraceWriter trace;
  trace.header(3).add(cycles(1000), 12).add(marker(500), 12).add(cycles(1000), 12).add(marker(550), 12);
  trace.add(cycles(1000), 12).add(marker(650), 12);
  const std::string bytes = trace.finish();
  const CycleClock clock(bytes_of(bytes), 5000);
  REQUIRE(clock.is_known());
  CHECK(clock.ns_at(1000) == 5000);
  CHECK(clock.ns_at(1500) == 5250);
  CHECK(clock.ns_at(2000) == 5500);
  CHECK(clock.ns_at(2500) == 6000);
  CHECK(clock.ns_at(900) == 4950);   // before the first, as between it and the second
  CHECK(clock.ns_at(3100) == 6600);  // behind the last, as before it
  // The counter has 36 bits: of those times the nearest to the run's.
  constexpr std::int64_t kPeriod_ns = (std::int64_t{1} << 36) * CycleClock::kTick_ns;
  CHECK(CycleClock(bytes_of(bytes), 7 * kPeriod_ns + 12'000).ns_at(1000) == 7 * kPeriod_ns + 5000);
  CHECK(CycleClock(bytes_of(bytes), 7 * kPeriod_ns - 12'000).ns_at(1000) == 7 * kPeriod_ns + 5000);
  CHECK_FALSE(CycleClock(bytes_of(TraceWriter().header(3).add(marker(500), 12).finish()), 0).is_known());
}

}  // namespace
}  // namespace vizd::thread_trace::waves_test
