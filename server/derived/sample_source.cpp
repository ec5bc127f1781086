// Samples of program counters on a track for each warp of each multiprocessor.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "derived/trace_source.h"
#include "hardware/loaded_code.h"
#include "hardware/pc_samples.h"
#include "model/named_tracks.h"

namespace vizd {
namespace {

constexpr std::uint64_t kAskedAtOnce = 1 << 14;

class SampleSource : public TraceSource {
 public:
  SampleSource(const hardware::Records& records, const hardware::PcSampling& sampling)
      : sampling_(sampling),
        program_(records.find_program(sampling)),
        sm_version_(records.sm_version_of(sampling.device)) {}

  const hardware::Program* program() const override { return program_; }
  std::string_view kernel() const override { return sampling_.program; }

  StretchCounts count(const SourceReading& reading) const override {
    StretchCounts counts;
    read(reading, [&](const hardware::PcSample& sample) { ++counts[sample.start_cycle >> kStretchBits]; });
    return counts;
  }

  ClockLine fill(Capture& capture, TraceWindow window, const SourceReading& reading) const override;

  std::unique_ptr<TraceSource> beginning() const override {
    constexpr std::size_t kBytes = 64'000 * 32;
    if (sampling_.packets.size() <= 4 * kBytes) return nullptr;
    auto made = std::make_unique<SampleSource>(*this);
    made->sampling_.packets = sampling_.packets.first(kBytes);
    return made;
  }

 private:
  template <typename OnSample>
  void read(const SourceReading& reading, OnSample&& on_sample) const {
    std::uint64_t seen = 0;
    hardware::read_pc_samples(sampling_.packets, sm_version_, [&](const hardware::PcSample& sample) {
      on_sample(sample);
      if (++seen % kAskedAtOnce != 0) return true;
      reading.on_progress(seen);
      return !reading.stopped();
    });
  }

  hardware::PcSampling sampling_;
  const hardware::Program* program_;
  std::int64_t sm_version_;
};

// The tracks, made when a warp is first seen.
class WarpTracks {
 public:
  explicit WarpTracks(Capture& capture) : named_(capture) {}

  std::uint32_t of(const hardware::PcSample& sample) {
    const auto [entry, is_new] = tracks_.try_emplace(sample.unit << 6 | (sample.wave & 63));
    if (!is_new) return entry->second;
    const auto child = [&](std::uint32_t parent, std::string_view word, std::uint32_t number) {
      return named_.child(parent, fmt::format("{} {}", word, number), number);
    };
    const std::uint32_t cluster =
        child(child(Track::kNoParent, "GPC", sample.graphics_cluster()), "TPC", sample.texture_cluster());
    return entry->second = child(child(cluster, "SM", sample.multiprocessor()), "warp", sample.wave);
  }

 private:
  NamedTracks named_;
  std::unordered_map<std::uint32_t, std::uint32_t> tracks_;  // by unit and warp
};

// How many of the samples of a multiprocessor issued an instruction, over time: its track's counter.
class IssueCounter {
 public:
  explicit IssueCounter(Capture& capture) : capture_(capture) {}

  void add(const hardware::PcSample& sample, std::uint32_t track) {
    Stretch& stretch = stretches_[sample.unit];
    const std::int64_t start_cycle = sample.start_cycle / kStretchCycles * kStretchCycles;
    if (stretch.samples != 0 && start_cycle != stretch.start_cycle) tell(stretch);
    if (stretch.samples++ == 0) stretch = {.track = track, .start_cycle = start_cycle, .samples = 1};
    stretch.active += sample.is_active;
  }
  void finish() {
    for (auto& [unit, stretch] : stretches_) tell(stretch);
  }

 private:
  static constexpr std::int64_t kStretchCycles = 32 * hardware::kCyclesASample;
  struct Stretch {
    std::uint32_t track = kNoId;
    std::int64_t start_cycle = 0;
    std::uint64_t samples = 0, active = 0;
  };

  void tell(Stretch& stretch) {
    auto& counters = capture_.profile.tracks[stretch.track].counters;
    if (counters.empty()) {
      counters.emplace_back().name = capture_.strings.add("issued");
      counters.back().unit = capture_.strings.add("%");
    }
    counters.front().at_ns.push_back(stretch.start_cycle);
    counters.front().value.push_back(100 * static_cast<double>(stretch.active) / static_cast<double>(stretch.samples));
    stretch.samples = 0;
  }

  Capture& capture_;
  std::unordered_map<std::uint32_t, Stretch> stretches_;  // by unit, the one that is being counted
};

// What an address is called in the listing of the program, or, where that is not known or has no such, on the GPU.
class AddressTexts {
 public:
  AddressTexts(StringTable& strings, const hardware::Program* program)
      : strings_(strings),
        base_(program == nullptr ? std::nullopt : hardware::listing_base(*program)),
        end_(program == nullptr ? 0 : hardware::listing_end(*program)) {}

  struct Text {
    StringId text{};
    bool is_listed = false;
  };
  Text of(std::uint64_t address) {
    const auto [entry, is_new] = known_.try_emplace(address);
    if (!is_new) return entry->second;
    const bool is_listed = base_ && address - *base_ < end_;
    return entry->second = {strings_.add(fmt::format("0x{:x}", is_listed ? address - *base_ : address)), is_listed};
  }

 private:
  StringTable& strings_;
  const std::optional<std::uint64_t> base_;
  const std::uint64_t end_;
  std::unordered_map<std::uint64_t, Text> known_;
};

ClockLine SampleSource::fill(Capture& capture, TraceWindow window, const SourceReading& reading) const {
  StringTable& strings = capture.strings;
  WarpTracks tracks(capture);
  AddressTexts texts(strings, program_);
  const StringId listed = strings.add("pc"), unlisted = strings.add("address"), active = strings.add("active");
  IssueCounter issued(capture);
  std::uint64_t outside = 0;
  read(reading, [&](const hardware::PcSample& sample) {
    if (!window.holds(sample.start_cycle)) return;
    const AddressTexts::Text address = texts.of(sample.address);
    outside += !address.is_listed;
    Track& track = capture.profile.tracks[tracks.of(sample)];
    issued.add(sample, track.parent);
    const auto event = static_cast<std::uint32_t>(track.events.size());
    find_or_add_argument(track.arguments, address.is_listed ? listed : unlisted, StringId{}, ArgumentType::kText)
        .push_number(event, static_cast<std::int64_t>(index(address.text)));
    find_or_add_argument(track.arguments, active, StringId{}, ArgumentType::kInteger)
        .push_number(event, sample.is_active ? 1 : 0);
    track.events.push_back({.start_ns = sample.start_cycle,
                            .dur_ns = sample.end_cycle - sample.start_cycle,
                            .name = strings.add(sample.stall)});
  });
  issued.finish();
  capture.notes.push_back(fmt::format(
      "packets tell no time: each sample counts as {} cycles of its multiprocessor, behind the one before it",
      hardware::kCyclesASample));
  if (outside != 0)
    capture.notes.push_back(fmt::format("{} samples have addresses of the GPU: {}", outside,
                                        program_ != nullptr && program_->base
                                            ? "they lie outside the program"
                                            : "the capture does not say where the program was loaded"));
  return {};
}

}  // namespace

std::unique_ptr<TraceSource> sample_source(const hardware::Records& records, const hardware::PcSampling& sampling) {
  return std::make_unique<SampleSource>(records, sampling);
}

}  // namespace vizd
