#include "hardware/thread_trace/occupancy.h"

#include "support/catch.h"

namespace vizd::thread_trace::occupancy_test {
namespace {

TEST_CASE("occupancy: waves at once, the tail at the end, and how they fell on the units") {
  Waves waves;
  const auto add = [&](std::uint16_t unit, std::int64_t from, std::int64_t to) {
    waves.waves.push_back({.unit = unit, .has_ended = true, .start_cycle = from, .end_cycle = to});
  };
  add(0, 0, 100);
  add(0, 0, 100);
  add(1, 50, 100);
  add(1, 90, 200);
  const Occupancy made = occupancy_of(waves);
  CHECK(made.waves == 4);
  CHECK(made.most_at_once == 4);
  CHECK(made.span_cycles == 200);
  CHECK(made.wave_cycles == 360);
  CHECK(made.tail_cycles == 100);  // one of four is left
  REQUIRE(made.units.size() == 2);
  CHECK(made.units[0].wave_cycles == 200);
  CHECK(made.units[1].waves == 2);
}

TEST_CASE("occupancy: of no waves, and of one that takes no time") {
  CHECK(occupancy_of({}).span_cycles == 0);
  Waves waves;
  waves.waves.push_back({.start_cycle = 7, .end_cycle = 7});
  const Occupancy made = occupancy_of(waves);
  CHECK(made.span_cycles == 0);
  CHECK(made.tail_cycles == 0);
  CHECK(made.units.size() == 1);
}

}  // namespace
}  // namespace vizd::thread_trace::occupancy_test
