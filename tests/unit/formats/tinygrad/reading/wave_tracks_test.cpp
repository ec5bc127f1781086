#include "formats/tinygrad/reading/wave_tracks.h"

#include "formats/pickle/machine.h"
#include "formats/tinygrad/reading/profile_reader.h"
#include "formats/tinygrad/v2026_08/version.h"
#include "support/catch.h"
#include "support/made_hardware.h"

namespace vizd::tinygrad::wave_tracks_test {
namespace {

std::uint64_t marker(std::uint64_t ticks) { return 0b0000001 | 1ull << 9 | ticks << 12; }

// Two waves of one SIMD that overlap and one of another, of a shader that runs a cycle a nanosecond from 10 us on.
std::string packets(std::uint64_t first_tick) {
  TraceWriter trace;
  trace.header(3).add(marker(first_tick), 12).wave_start(1).wait(9).wave_start(2).wave_start(3, 2).wait(19).wave_end(1);
  trace.wave_end(2).wave_end(3, 2).wait(9).add(0b0000001 | 950ull << 12, 12).add(marker(first_tick + 100), 12);
  return trace.finish();
}

void read(const std::string& events, Capture& capture) {
  const std::string bytes = profile_pickle(device_of("AMD", "gfx_target_version", 110'000, "5") + program_of(3, "k") +
                                           run_of("k", "10", "12.5") + events);
  const auto tree = pickle::read_pickle(bytes_of(bytes), "f");
  if (!tree) FAIL(tree.error().text());
  read_profile(*tree, tinygrad_2026_08::kVersion, {}, capture);
}

TEST_CASE("waves stand below all other lanes, by engine, compute unit and SIMD, at the profile's times", "[hardware]") {
  Capture capture;
  read(trace_of(3, 7, 1, false, packets(1000)), capture);
  const auto& tracks = capture.profile.tracks;
  const auto paths = track_paths(tracks, capture.strings);
  CHECK(paths == std::vector<std::string>{
                     "AMD", "AMD thread traces", "AMD thread traces/SE 1", "AMD thread traces/SE 1/SA 0 WGP 0",
                     "AMD thread traces/SE 1/SA 0 WGP 0/SIMD 0", "AMD thread traces/SE 1/SA 0 WGP 0/SIMD 2"});
  REQUIRE(tracks[4].events.size() == 2);
  const Event first = tracks[4].events[0];
  CHECK(capture.strings.get(first.name) == "wave of k");
  CHECK(first.start_ns == 15'001);  // 10 us of the device's clock are 15 of the profile's
  CHECK(first.dur_ns == 31);
  CHECK(first.kind == EventKind::kSpan);
  CHECK(tracks[5].events.size() == 1);
  // How many run at once.
  const Counter& waves = tracks[2].counters.at(0);
  std::vector<double> running;
  for (std::size_t i = 0; i < waves.value.size(); ++i) running.push_back(waves.value[i]);
  CHECK(running == std::vector<double>{1, 2, 3, 2, 1, 0});
  CHECK(waves.at_ns[0] == 15'001);
}

TEST_CASE("waves of CDNA stand in proportion in the time of their kernel, and a note says so", "[hardware]") {
  // In nibbles of four: wave starts, time that passes by MISC, ends.
  TraceWriter trace;
  trace.header(0).add(3 | 1 << 10, 8).add(100 << 4, 4).add(3 | 2 << 10, 8).add(100 << 4, 4).add(6 | 1 << 10, 4);
  trace.add(100 << 4, 4).add(100 << 4, 4).add(6 | 2 << 10, 4);
  Capture capture;
  read(trace_of(3, 7, 1, true, trace.finish()), capture);
  const auto& tracks = capture.profile.tracks;
  REQUIRE(tracks.size() == 5);
  CHECK(capture.strings.get(tracks[3].name) == "CU 0");
  REQUIRE(tracks[4].events.size() == 2);
  const Event first = tracks[4].events[0], second = tracks[4].events[1];
  CHECK(first.start_ns == 15'000);
  CHECK(first.dur_ns == 1250);
  CHECK(second.start_ns == 15'625);
  CHECK(second.dur_ns == 1875);
  CHECK(
      std::ranges::any_of(capture.notes, [](const std::string& note) { return note.starts_with("2 waves of CDNA"); }));
}

TEST_CASE("waves whose times are not the profile's are counted in a note", "[hardware]") {
  for (const std::string& trace : {trace_of(3, 7, 0, true, packets(900'000)),  // at another time
                                   trace_of(9, 7, 0, true, packets(1000)),     // of a run that is not known
                                   trace_of(3, 7, 0, true, TraceWriter().header(3).wave_start(0).finish())}) {
    Capture capture;
    read(trace, capture);
    for (const Track& track : capture.profile.tracks) CHECK(track.counters.empty());
    CHECK(std::ranges::any_of(capture.notes, [](const std::string& note) {
      return note.find("waves of thread traces are not on the timeline") != std::string::npos;
    }));
  }
}

}  // namespace
}  // namespace vizd::tinygrad::wave_tracks_test
