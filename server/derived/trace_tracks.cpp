#include "derived/trace_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hardware/thread_trace/execution_links.h"
#include "hardware/thread_trace/lanes.h"

namespace vizd {
namespace {

// An event of the profile in one number: its track and its place there.
constexpr std::uint64_t event_of(std::uint32_t track, std::size_t event) { return std::uint64_t{track} << 32 | event; }
constexpr std::uint64_t kOutside = ~std::uint64_t{0};  // of the window

}  // namespace

class TraceTracks::Sink : public thread_trace::SpanSink {
 public:
  Sink(TraceTracks& tracks, std::uint32_t engine, std::int64_t shift_cycles, const SourceReading& reading)
      : tracks_(tracks), engine_(engine), shift_cycles_(shift_cycles), reading_(reading) {}

  std::uint64_t begin(const thread_trace::IssuedInstruction& made) override {
    ++tracks_.seen_;
    if (!tracks_.window_.holds(made.start_cycle)) {
      tracks_.impossible_ += made.start_cycle < -kMostCycle || made.start_cycle >= kMostCycle;
      return kOutside;
    }
    std::uint32_t& track = slots_[made.simd & 3][made.slot & 31];
    if (track == kNoId) track = tracks_.slot_track(engine_, 0, made.simd, made.slot);
    Track& slot = tracks_.capture_.profile.tracks[track];
    const std::uint64_t event = event_of(track, slot.events.size());
    Line line;
    if (made.place) {
      line = tracks_.lines_[*made.place];
      find_or_add_argument(slot.arguments, tracks_.capture_.strings.add("pc"), StringId{}, ArgumentType::kText)
          .push_number(static_cast<std::uint32_t>(slot.events.size()), static_cast<std::int64_t>(index(line.pc)));
    } else {
      line.text = tracks_.capture_.strings.add(made.operation);
      tracks_.unplaced_ += tracks_.listing_ != nullptr;
    }
    const auto pipe = thread_trace::pipe_of(made.operation);
    if (pipe) line.category = tracks_.capture_.strings.add(thread_trace::kPipes[*pipe]);
    slot.events.push_back({.start_ns = made.start_cycle + shift_cycles_, .name = line.text, .category = line.category});
    return event;
  }

  void end(std::uint64_t instruction, std::int64_t end_cycle, bool has_ended) override {
    if (instruction == kOutside) return;
    EventColumns& events = tracks_.capture_.profile.tracks[instruction >> 32].events;
    const std::size_t event = instruction & 0xFFFFFFFF;
    const std::int64_t dur = std::max<std::int64_t>(
        std::clamp(end_cycle, -kMostCycle, kMostCycle) + shift_cycles_ - events.start_ns(event), 0);
    events.end(event, dur, has_ended ? EventKind::kSpan : EventKind::kUnfinished);
  }

  void execute(const thread_trace::UnitExecution& made) override {
    tracks_.unlinked_ += !made.instruction && !made.source.ends_with(thread_trace::kPipeOfOthers);
    if (!tracks_.window_.holds(made.start_cycle)) return;
    Capture& capture = tracks_.capture_;
    const std::uint32_t track = tracks_.unit_track(engine_, made.unit);
    Track& unit = capture.profile.tracks[track];
    StringId name = capture.strings.add(made.source);
    if (made.instruction && *made.instruction != kOutside) {
      const auto from_track = static_cast<std::uint32_t>(*made.instruction >> 32);
      const auto from_event = static_cast<std::uint32_t>(*made.instruction & 0xFFFFFFFF);
      name = capture.profile.tracks[from_track].events.name(from_event);
      capture.profile.flows.push_back({.from_track = from_track,
                                       .from_event = from_event,
                                       .to_track = track,
                                       .to_event = static_cast<std::uint32_t>(unit.events.size())});
    }
    unit.events.push_back({.start_ns = made.start_cycle + shift_cycles_,
                           .dur_ns = made.end_cycle - made.start_cycle,
                           .name = name,
                           .category = capture.strings.add(made.source)});
  }

  bool is_full() const override {
    constexpr std::uint64_t kAskedAtOnce = 1 << 14;
    if (tracks_.seen_ < asked_ + kAskedAtOnce) return false;
    asked_ = tracks_.seen_;
    reading_.on_progress(tracks_.seen_);
    return reading_.stopped();
  }

 private:
  TraceTracks& tracks_;
  const std::uint32_t engine_;
  const std::int64_t shift_cycles_;
  const SourceReading& reading_;
  mutable std::uint64_t asked_ = 0;  // instructions seen when it was last asked
  std::array<std::array<std::uint32_t, 32>, 4> slots_ = [] {
    std::array<std::array<std::uint32_t, 32>, 4> none;
    for (auto& simd : none) simd.fill(kNoId);
    return none;
  }();
};

TraceTracks::TraceTracks(Capture& capture, amd::Family family, const amd::CodeListing* listing, TraceWindow window)
    : capture_(capture), named_(capture), family_(family), listing_(listing), window_(window) {
  if (listing == nullptr) return;
  lines_.reserve(listing->lines().size());
  for (const amd::CodeListing::Line& line : listing->lines()) {
    lines_.push_back({.text = capture.strings.add(line.instruction.text()),
                      .pc = capture.strings.add(fmt::format("0x{:x}", line.address)),
                      .category = {}});
  }
}

void TraceTracks::add(const hardware::ThreadTrace& trace, std::int64_t shift_cycles, const SourceReading& reading) {
  const thread_trace::Waves waves = thread_trace::waves_of(trace.packets);
  const std::uint32_t engine = named_.child(Track::kNoParent, fmt::format("SE {}", trace.engine), trace.engine);
  begun_before_ += waves.begun_before;
  add_waves(waves, engine, shift_cycles);
  add_clock(trace, engine, shift_cycles);
  if (!trace.has_instructions) return;
  Sink sink(*this, engine, shift_cycles, reading);
  thread_trace::walk_spans(trace.packets, family_, listing_, sink);
}

void TraceTracks::note_what_is_missing() {
  const auto note = [&](std::uint64_t count, std::string_view what) {
    if (count != 0) capture_.notes.push_back(fmt::format("{} {}", count, what));
  };
  note(unplaced_, "instructions are shown without their place in the program, which is not known");
  note(unlinked_, "executions are shown without the instruction that they are of: no dispatch of theirs was seen");
  note(impossible_,
       "instructions are not shown: the clock of their trace, which is damaged, leaps beyond all that can be");
  note(begun_before_, "waves are not shown: they began before the trace");
}

std::uint32_t TraceTracks::slot_track(std::uint32_t engine, std::uint32_t unit, std::uint32_t simd,
                                      std::uint32_t slot) {
  const auto [entry, is_new] = slots_.try_emplace(std::tuple(engine, unit, simd, slot));
  if (!is_new) return entry->second;
  const thread_trace::Layout layout = family_ == amd::Family::kCdna    ? thread_trace::Layout::kCdna
                                      : family_ == amd::Family::kRdna4 ? thread_trace::Layout::kRdna4
                                                                       : thread_trace::Layout::kRdna3;
  const std::uint32_t at = named_.child(named_.child(engine, thread_trace::unit_name(layout, unit), unit),
                                        fmt::format("SIMD {}", simd), simd);
  return entry->second = named_.child(at, fmt::format("wave slot {}", slot), slot);
}

// Beside the slots of the SIMD whose executions the trace tells.
std::uint32_t TraceTracks::unit_track(std::uint32_t engine, std::string_view unit) {
  constexpr std::int64_t kAboveSlots = -100;
  constexpr std::string_view kOrder[] = {"SALU", "VALU", "TFU", "WMMA", "VMEM", "LDS"};
  const auto place = std::ranges::find(kOrder, unit) - std::begin(kOrder);
  const std::uint32_t parent = capture_.profile.tracks[slot_track(engine, 0, 0, 0)].parent;
  return named_.child(parent, unit, kAboveSlots + place);
}

void TraceTracks::add_waves(const thread_trace::Waves& waves, std::uint32_t engine, std::int64_t shift_cycles) {
  StringTable& strings = capture_.strings;
  const StringId name = strings.add("wave"), number = strings.add("wave of the engine");
  std::int64_t place = 0;
  for (const thread_trace::Wave& wave : waves.waves) {
    const std::int64_t counted = place++;
    if (wave.end_cycle < window_.from_cycle || wave.start_cycle >= window_.to_cycle) continue;
    Track& track = capture_.profile.tracks[slot_track(engine, wave.unit, wave.simd, wave.slot)];
    find_or_add_argument(track.arguments, number, StringId{}, ArgumentType::kInteger)
        .push_number(static_cast<std::uint32_t>(track.events.size()), counted);
    const std::int64_t from_cycle = std::clamp(wave.start_cycle, -kMostCycle, kMostCycle);
    const std::int64_t to_cycle = std::clamp(wave.end_cycle, from_cycle, kMostCycle);
    track.events.push_back({.start_ns = from_cycle + shift_cycles,
                            .dur_ns = to_cycle - from_cycle,
                            .name = name,
                            .kind = wave.has_ended ? EventKind::kSpan : EventKind::kUnfinished});
  }
}

void TraceTracks::add_clock(const hardware::ThreadTrace& trace, std::uint32_t engine, std::int64_t shift_cycles) {
  const std::vector<thread_trace::ClockPoint> points = thread_trace::clock_of(trace.packets);
  if (points.empty()) return;
  Counter& counter = capture_.profile.tracks[engine].counters.emplace_back();
  counter.name = capture_.strings.add("Shader Clock");
  counter.unit = capture_.strings.add("Hz");
  for (const thread_trace::ClockPoint& point : points) {
    if (!window_.holds(point.at_cycle)) continue;
    counter.at_ns.push_back(point.at_cycle + shift_cycles);
    counter.value.push_back(static_cast<double>(point.hz));
  }
}

}  // namespace vizd
