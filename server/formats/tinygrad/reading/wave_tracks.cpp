#include "formats/tinygrad/reading/wave_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "formats/tinygrad/hardware_records.h"
#include "hardware/thread_trace/waves.h"
#include "model/named_tracks.h"

namespace vizd::tinygrad {
namespace {

using thread_trace::CycleClock;
using thread_trace::Wave;
using thread_trace::Waves;

// The number of SIMDs in a WGP, and in a compute unit of CDNA.
constexpr std::int64_t kSimdsOfUnit = 4;

class WaveTracks {
 public:
  explicit WaveTracks(Capture& capture) : capture_(capture), named_(capture), records_(hardware_records(capture)) {}

  void add() {
    for (const hardware::ThreadTrace& trace : records_.traces) add(trace);
    for (auto& [track, changes] : changes_) add_occupancy(track, changes);
    if (stretched_ != 0) {
      capture_.notes.push_back(
          fmt::format("{} waves of CDNA's thread traces are placed proportionally within the time of their kernel: "
                      "their traces do not hold the time of their cycles",
                      stretched_));
    }
    if (unplaced_ != 0) {
      capture_.notes.push_back(
          fmt::format("{} waves of thread traces are not on the timeline: their traces do not hold the time of their "
                      "cycles, or it is not the profile's",
                      unplaced_));
    }
    if (begun_before_ != 0) {
      capture_.notes.push_back(fmt::format(
          "{} waves of thread traces are not on the timeline: they began before their traces", begun_before_));
    }
    if (unended_ != 0) {
      capture_.notes.push_back(fmt::format(
          "the ends of {} waves were not recorded: they are shown until their traces end, or their slots began others",
          unended_));
    }
    if (unknown_operations_ != 0) {
      capture_.notes.push_back(fmt::format(
          "{} packets of thread traces have unknown operations: they are shown by their numbers", unknown_operations_));
    }
    if (damaged_ != 0) {
      capture_.warnings.push_back(
          fmt::format("{} of {} thread traces do not begin as thread traces do: they are damaged, or of an unknown "
                      "GPU; what can be decoded of them is shown",
                      damaged_, records_.traces.size()));
    }
  }

 private:
  // By time, how many waves began, and ended.
  using Changes = std::vector<std::pair<std::int64_t, int>>;

  void add(const hardware::ThreadTrace& trace) {
    const Waves waves = thread_trace::waves_of(trace.packets);
    begun_before_ += waves.begun_before;
    unknown_operations_ += waves.unknown_operations;
    damaged_ += !waves.begins_as_a_trace;
    unended_ += static_cast<std::uint64_t>(std::ranges::count(waves.waves, false, &Wave::has_ended));
    if (waves.waves.empty()) return;
    const hardware::TimedRun* const run = records_.find_timed(trace.key);
    const hardware::Device* const device = records_.find_device(trace.device);
    if (run == nullptr || device == nullptr) {
      unplaced_ += waves.waves.size();
    } else if (waves.layout == thread_trace::Layout::kCdna) {
      add(trace, waves, *device, stretch_of(trace.key, *run));
      stretched_ += waves.waves.size();
    } else if (const CycleClock clock(trace.packets, run->start_ns); clock.is_known()) {
      add(trace, waves, *device, [&](std::int64_t cycle) { return clock.ns_at(cycle); });
    } else {
      unplaced_ += waves.waves.size();
    }
  }

  // ns_at: of a cycle, by the device's clock.
  template <typename Clock>
  void add(const hardware::ThreadTrace& trace, const Waves& waves, const hardware::Device& device, const Clock& ns_at) {
    const hardware::Program* const program = records_.find_program(trace.key.program);
    const StringId name = capture_.strings.add(fmt::format("wave of {}", program->name));
    const auto& by_name = capture_.rewrites.context_by_name;
    const auto context = by_name.find(capture_.strings.find(program->key));
    const std::uint32_t engine = engine_of(trace);
    most_[engine] = device.simds_per_engine * device.waves_per_simd;
    for (const Wave& wave : waves.waves) {
      const std::int64_t from_ns = ns_at(wave.start_cycle) + device.clock_shift_ns;
      const std::int64_t to_ns = std::max(from_ns, ns_at(wave.end_cycle) + device.clock_shift_ns);
      if (from_ns < capture_.profile.start_ns || to_ns > capture_.profile.end_ns) {
        ++unplaced_;
        continue;
      }
      const Place place = place_of(engine, waves.layout, wave);
      most_[place.simd] = device.waves_per_simd;
      most_[place.unit] = kSimdsOfUnit * device.waves_per_simd;
      Track& track = capture_.profile.tracks[place.simd];
      add_argument(track, "wave slot", "", wave.slot);
      add_argument(track, "cycles", "cycles", wave.end_cycle - wave.start_cycle);
      track.events.push_back({.start_ns = from_ns,
                              .dur_ns = to_ns - from_ns,
                              .name = name,
                              .context = context == by_name.end() ? ContextId{kNoId} : context->second,
                              .kind = wave.has_ended ? EventKind::kSpan : EventKind::kUnfinished});
      for (const std::uint32_t counted : {engine, place.unit, place.simd}) {
        Changes& changes = changes_[counted];
        changes.emplace_back(from_ns, 1);
        changes.emplace_back(to_ns, -1);
      }
    }
  }

  // Cycles of a run, from its first wave on to its last, taken for the kernel's time.
  struct Stretch {
    std::int64_t first_cycle = 0, last_cycle = 0, start_ns = 0;
    double dur_ns = 0;

    std::int64_t operator()(std::int64_t cycle) const {
      if (last_cycle <= first_cycle) return start_ns;
      const double share = static_cast<double>(cycle - first_cycle) / static_cast<double>(last_cycle - first_cycle);
      return start_ns + static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) * dur_ns);
    }
  };

  Stretch stretch_of(const hardware::RunKey& key, const hardware::TimedRun& run) {
    const auto [found, is_new] = stretches_.try_emplace(key);
    if (!is_new) return found->second;
    Stretch& made = found->second;
    made = {.start_ns = run.start_ns, .dur_ns = run.dur_us * 1e3};
    bool is_first = true;
    for (const hardware::ThreadTrace* const trace : records_.traces_of(key)) {
      for (const Wave& wave : thread_trace::waves_of(trace->packets).waves) {
        made.first_cycle = is_first ? wave.start_cycle : std::min(made.first_cycle, wave.start_cycle);
        made.last_cycle = is_first ? wave.end_cycle : std::max(made.last_cycle, wave.end_cycle);
        is_first = false;
      }
    }
    return made;
  }

  // Adds an argument of the track's next event.
  void add_argument(Track& track, std::string_view name, std::string_view unit, std::int64_t value) {
    StringTable& strings = capture_.strings;
    find_or_add_argument(track.arguments, strings.add(name), strings.add(unit), type_of(ArgumentValue(value)))
        .push_back(static_cast<std::uint32_t>(track.events.size()), value);
  }

  // Below all other lanes: there are many of these.
  std::uint32_t engine_of(const hardware::ThreadTrace& trace) {
    const std::uint32_t all = named_.child(Track::kNoParent, fmt::format("{} thread traces", trace.device), 0);
    return named_.child(all, fmt::format("SE {}", trace.engine), trace.engine);
  }

  struct Place {
    std::uint32_t unit = kNoId, simd = kNoId;  // tracks
  };

  Place place_of(std::uint32_t engine, thread_trace::Layout layout, const Wave& wave) {
    Place& place = places_[{engine, wave.unit, wave.simd}];
    if (place.simd != kNoId) return place;
    place.unit = named_.child(engine, thread_trace::unit_name(layout, wave.unit), wave.unit);
    place.simd = named_.child(place.unit, fmt::format("SIMD {}", wave.simd), wave.simd);
    return place;
  }

  // How many waves run at once, with how many there is room for in its name.
  void add_occupancy(std::uint32_t track, Changes& changes) {
    std::ranges::sort(changes);
    Counter& counter = capture_.profile.tracks[track].counters.emplace_back();
    const std::int64_t most = most_[track];
    counter.name = capture_.strings.add(most > 0 ? fmt::format("waves (of {})", most) : "waves");
    std::int64_t running = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      running += changes[i].second;
      if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
      counter.at_ns.push_back(changes[i].first);
      counter.value.push_back(static_cast<double>(running));
    }
  }

  Capture& capture_;
  NamedTracks named_;
  hardware::Records records_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Place> places_;  // by engine, unit, SIMD
  std::map<std::uint32_t, Changes> changes_;                                         // by track
  std::map<std::uint32_t, std::int64_t> most_;  // by track: waves that it holds, as far as the device says
  std::map<hardware::RunKey, Stretch> stretches_;
  std::uint64_t unplaced_ = 0, begun_before_ = 0, stretched_ = 0, unended_ = 0, unknown_operations_ = 0, damaged_ = 0;
};

}  // namespace

void add_wave_tracks(Capture& capture) { WaveTracks(capture).add(); }

}  // namespace vizd::tinygrad
