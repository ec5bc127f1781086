#include "formats/tinygrad/reading/wave_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "formats/tinygrad/hardware_records.h"
#include "hardware/thread_trace/waves.h"

namespace vizd::tinygrad {
namespace {

using thread_trace::CycleClock;
using thread_trace::Wave;
using thread_trace::Waves;

class WaveTracks {
 public:
  explicit WaveTracks(Capture& capture) : capture_(capture), records_(hardware_records(capture)) {}

  void add() {
    for (const hardware::ThreadTrace& trace : records_.traces) add(trace);
    for (auto& [engine, changes] : changes_) add_occupancy(engine, changes);
    if (unplaced_ != 0) {
      capture_.notes.push_back(fmt::format(
          "{} waves of thread traces are not on the timeline: their traces do not tell the time of their cycles, or "
          "another than the profile's",
          unplaced_));
    }
    if (begun_before_ != 0) {
      capture_.notes.push_back(fmt::format(
          "{} waves of thread traces are not on the timeline: they began before their traces", begun_before_));
    }
  }

 private:
  // Track of a shader engine, and by time how many waves began, and ended.
  using Changes = std::vector<std::pair<std::int64_t, int>>;

  void add(const hardware::ThreadTrace& trace) {
    const Waves waves = thread_trace::waves_of(trace.packets);
    begun_before_ += waves.begun_before;
    if (waves.waves.empty()) return;
    const hardware::TimedRun* const run = records_.find_timed(trace.key);
    const auto device = std::ranges::find(records_.devices, trace.device, &hardware::Device::name);
    const CycleClock clock(trace.packets, run == nullptr ? 0 : run->start_ns);
    if (run == nullptr || device == records_.devices.end() || !clock.is_known()) {
      unplaced_ += waves.waves.size();
      return;
    }
    const hardware::Program* const program = records_.find_program(trace.key.program);
    const StringId name = capture_.strings.add(fmt::format("wave of {}", program->name));
    const auto& by_name = capture_.rewrites.context_by_name;
    const auto context = by_name.find(capture_.strings.find(program->key));
    const std::uint32_t engine = engine_of(trace);
    for (const Wave& wave : waves.waves) {
      const std::int64_t from_ns = clock.ns_at(wave.start_cycle) + device->clock_shift_ns;
      const std::int64_t to_ns = std::max(from_ns, clock.ns_at(wave.end_cycle) + device->clock_shift_ns);
      if (from_ns < capture_.profile.start_ns || to_ns > capture_.profile.end_ns) {
        ++unplaced_;
        continue;
      }
      Track& track = capture_.profile.tracks[track_of(engine, waves.layout, wave)];
      add_argument(track, "wave slot", "", wave.slot);
      add_argument(track, "cycles", "cycles", wave.end_cycle - wave.start_cycle);
      track.events.push_back({.start_ns = from_ns,
                              .dur_ns = to_ns - from_ns,
                              .name = name,
                              .context = context == by_name.end() ? ContextId{kNoId} : context->second,
                              .kind = wave.has_ended ? EventKind::kSpan : EventKind::kUnfinished});
      Changes& changes = changes_[engine];
      changes.emplace_back(from_ns, 1);
      changes.emplace_back(to_ns, -1);
    }
  }

  // Of the track's next event.
  void add_argument(Track& track, std::string_view name, std::string_view unit, std::int64_t value) {
    StringTable& strings = capture_.strings;
    find_or_add_argument(track.arguments, strings.add(name), strings.add(unit), type_of(ArgumentValue(value)))
        .push_back(static_cast<std::uint32_t>(track.events.size()), value);
  }

  std::uint32_t child(std::uint32_t parent, const std::string& name, std::int64_t number) {
    const auto [entry, is_new] = tracks_.try_emplace(std::pair(parent, name));
    if (!is_new) return entry->second;
    entry->second = static_cast<std::uint32_t>(capture_.profile.tracks.size());
    Track& track = capture_.profile.tracks.emplace_back();
    track.name = capture_.strings.add(name);
    track.parent = parent;
    track.sort = static_cast<std::int32_t>(number);
    return entry->second;
  }

  // Below all other lanes: there are many of these.
  std::uint32_t engine_of(const hardware::ThreadTrace& trace) {
    const std::uint32_t all = child(Track::kNoParent, fmt::format("{} thread traces", trace.device), 0);
    return child(all, fmt::format("SE {}", trace.engine), trace.engine);
  }

  std::uint32_t track_of(std::uint32_t engine, thread_trace::Layout layout, const Wave& wave) {
    std::uint32_t& track = simds_.try_emplace({engine, wave.unit, wave.simd}, kNoId).first->second;
    if (track != kNoId) return track;
    const unsigned array_bit = layout == thread_trace::Layout::kRdna3 ? 3 : 4;
    const std::string unit = layout == thread_trace::Layout::kCdna ? fmt::format("CU {}", wave.unit)
                                                                   : fmt::format("SA {} WGP {}", wave.unit >> array_bit,
                                                                                 wave.unit & ((1u << array_bit) - 1));
    track = child(child(engine, unit, wave.unit), fmt::format("SIMD {}", wave.simd), wave.simd);
    return track;
  }

  void add_occupancy(std::uint32_t engine, Changes& changes) {
    std::ranges::sort(changes);
    Counter& counter = capture_.profile.tracks[engine].counters.emplace_back();
    counter.name = capture_.strings.add("waves");
    std::int64_t running = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      running += changes[i].second;
      if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
      counter.at_ns.push_back(changes[i].first);
      counter.value.push_back(static_cast<double>(running));
    }
  }

  Capture& capture_;
  hardware::Records records_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> tracks_;                   // by parent and name
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> simds_;  // by engine, unit, SIMD
  std::map<std::uint32_t, Changes> changes_;  // by track of a shader engine
  std::uint64_t unplaced_ = 0, begun_before_ = 0;
};

}  // namespace

void add_wave_tracks(Capture& capture) { WaveTracks(capture).add(); }

}  // namespace vizd::tinygrad
