#include "formats/bigtpu/tracks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "formats/bigtpu/command_arguments.h"
#include "formats/bigtpu/engine_counters.h"

namespace vizd::bigtpu {
namespace {

// From the first start to the last end of what was done for something.
struct Extent {
  std::int64_t start_ns = INT64_MAX, end_ns = INT64_MIN;
  void take(std::int64_t start, std::int64_t end) {
    start_ns = std::min(start_ns, start);
    end_ns = std::max(end_ns, end);
  }
  bool is_empty() const { return start_ns > end_ns; }
};

class DeviceTracks {
 public:
  DeviceTracks(const ProfileFolder& folder, std::optional<double> mhz, const HostTrace* host, Capture& capture)
      : folder_(folder),
        device_(folder),
        clock_(device_clock(folder, device_.chip(), mhz)),
        host_(host),
        capture_(capture) {}

  void add() {
    device_track_ = add_track(device_name(), TrackKind::kDevice, Track::kNoParent, 0);
    std::uint64_t unpaired = 0;
    // Beside a host all are read before the first is added: when the last command ended tells when the first began.
    std::vector<CoreRun> runs;
    for (std::size_t core = 0; host_ != nullptr && core < device_.core_count(); ++core)
      runs.push_back(device_.read_core(core));
    std::vector<PortRun> ports;
    if (host_ != nullptr) {
      ports = device_.read_ports();
      base_ = base_of(*host_, ns_of(tail_cycle(runs, ports)), tail_offset_ns());
    }
    for (std::size_t core = 0; core < device_.core_count(); ++core) {
      const CoreRun run = host_ != nullptr ? std::move(runs[core]) : device_.read_core(core);
      unpaired += run.unpaired_commands;
      add_core(core, run);
    }
    if (host_ == nullptr) ports = device_.read_ports();
    for (const PortRun& port : ports) add_port(port);
    add_runs();
    add_facts();
    for (const auto& [reason, count] : device_.skipped()) capture_.skipped[reason] += count;
    if (unpaired > 0) capture_.skipped["commands that no record was found of"] += unpaired;
    for (const std::string& warning : device_.warnings()) capture_.warnings.push_back(warning);
    for (const std::string& note : device_.notes()) capture_.notes.push_back(note);
  }

  const Extent& extent() const { return extent_; }

 private:
  // "device 1 (AKS)" where the folder's name says which one it is.
  std::string device_name() const {
    constexpr std::string_view kNumbered = "cdm_profile_data_dev";
    const auto numbers = numbers_in(folder_.name);
    if (!folder_.name.starts_with(kNumbered) || numbers.empty())
      return fmt::format("{} {}", device_.chip().name, folder_.name);
    return fmt::format("device {} ({})", numbers[0], device_.chip().name);
  }

  std::int64_t ns_of(std::int64_t cycles) const {
    constexpr double kMhzOfNanoseconds = 1000;
    if (clock_.mhz == kMhzOfNanoseconds) return cycles;
    return std::llround(static_cast<double>(cycles) * (kMhzOfNanoseconds / clock_.mhz));
  }

  // When that cycle was, on the capture's time axis.
  std::int64_t time_ns(std::int64_t cycle) const { return (base_ ? base_->base_ns : 0) + ns_of(cycle); }

  // When the last command of each engine's records that ended last did so.
  static std::int64_t tail_cycle(const std::vector<CoreRun>& runs, const std::vector<PortRun>& ports) {
    std::int64_t last = 0;
    const auto take = [&](const std::vector<PmuRecord>& records) {
      if (!records.empty()) last = std::max(last, records.back().end);
    };
    for (const CoreRun& run : runs) {
      for (const Engine engine : kEnginesOfCore) take(run[engine]);
    }
    for (const PortRun& port : ports) take(port.records);
    return last;
  }

  std::optional<std::int64_t> tail_offset_ns() const {
    return folder_.global ? folder_.global->number("tail_offset_ns") : std::nullopt;
  }

  std::uint32_t add_track(std::string_view name, TrackKind kind, std::uint32_t parent, std::int32_t sort) {
    Track track;
    track.name = capture_.strings.add(name);
    track.kind = kind;
    track.parent = parent;
    track.sort = sort;
    if (kind == TrackKind::kDevice || kind == TrackKind::kEngine) track.cycles_per_second = clock_.mhz * 1e6;
    capture_.profile.tracks.push_back(std::move(track));
    return static_cast<std::uint32_t>(capture_.profile.tracks.size() - 1);
  }

  void add_core(std::size_t core, const CoreRun& run) {
    const std::uint32_t track = add_track(fmt::format("Core {}", device_.core_number(core)), TrackKind::kOther,
                                          device_track_, static_cast<std::int32_t>(core));
    std::map<std::int64_t, std::pair<Extent, std::int32_t>> functions;  // by call: when, and the name
    std::map<std::int64_t, Extent> batches;
    for (const Engine engine : kEnginesOfCore) {
      for (const PmuRecord& record : run[engine]) {
        const std::int64_t start = time_ns(record.start), end = time_ns(record.end + 1);
        if (record.tags.scope >= 0) {
          auto& [extent, name] = functions[record.tags.scope];
          extent.take(start, end);
          name = record.tags.function;
        }
        if (record.tags.batch >= 0) {
          batches[record.tags.batch].take(start, end);
          batch_extents_[record.tags.batch].take(start, end);
        }
      }
    }
    const auto add = [&](std::uint32_t calls, const Extent& extent, std::string_view name, std::string_view category) {
      capture_.profile.tracks[calls].events.push_back({.start_ns = extent.start_ns,
                                                       .dur_ns = extent.end_ns - extent.start_ns,
                                                       .name = capture_.strings.add(name),
                                                       .category = capture_.strings.add(category)});
    };
    // Tracks above the engines, which count from 0. The names are those that bigTpuProfile's users have in queries.
    if (!batches.empty()) {
      const std::uint32_t calls = add_track("Batches", TrackKind::kOther, track, -2);
      for (const auto& [batch, extent] : batches) add(calls, extent, fmt::format("batch {}", batch), "batch");
    }
    if (!functions.empty()) {
      const std::uint32_t calls = add_track("Kernel Function", TrackKind::kOther, track, -1);
      for (const auto& [scope, call] : functions) {
        const std::string& name = run.given.functions[static_cast<std::size_t>(call.second)];
        add(calls, call.first, name.empty() ? "(no name)" : name, "function");
      }
    }
    std::array<std::uint32_t, kCoreEngines> lanes{};
    for (const Engine engine : kEnginesOfCore) {
      if (run[engine].empty()) continue;
      const std::uint32_t lane =
          add_track(engine_name(engine), TrackKind::kEngine, track, static_cast<std::int32_t>(engine));
      lanes[static_cast<std::size_t>(engine)] = lane;
      add_records(lane, engine, run[engine],
                  [&](const PmuRecord&) -> const std::vector<std::string>& { return run.given.functions; });
    }
    add_counters(track, run);
    add_flows(run, Engine::kGdma, Engine::kTiu, lanes);
    add_flows(run, Engine::kTiu, Engine::kGdma, lanes);
  }

  // How much of its time TIU worked, and how much GDMA moved, below their lanes. Messages are no work.
  void add_counters(std::uint32_t core, const CoreRun& run) {
    const auto add_counter = [&](Engine engine, std::string_view name, std::string_view unit) -> Counter& {
      const std::uint32_t track = add_track(name, TrackKind::kCounter, core, static_cast<std::int32_t>(engine));
      Counter& counter = capture_.profile.tracks[track].counters.emplace_back();
      counter.name = capture_.strings.add(name);
      counter.unit = capture_.strings.add(unit);
      return counter;
    };
    Stretches busy;
    for (const PmuRecord& record : run[Engine::kTiu])
      if (!is_system(Engine::kTiu, record.words)) busy.push_back({time_ns(record.start), time_ns(record.end + 1)});
    busy = union_of(std::move(busy));
    if (!busy.empty())
      add_utilization(busy, busy.front().from, busy.back().to, add_counter(Engine::kTiu, "TIU Utilization", "%"));
    std::vector<Transfer> transfers;
    for (const PmuRecord& record : run[Engine::kGdma]) {
      if (is_system(Engine::kGdma, record.words)) continue;
      const std::int64_t start_ns = time_ns(record.start), end_ns = time_ns(record.end + 1);
      if (end_ns <= start_ns) continue;
      const auto bytes = static_cast<double>(moved_bytes(Engine::kGdma, record.words));
      transfers.push_back({start_ns, end_ns, bytes / static_cast<double>(end_ns - start_ns)});
    }
    if (!transfers.empty()) add_bandwidth(transfers, add_counter(Engine::kGdma, "GDMA Bandwidth", "GB/s"));
  }

  // From the commands of one engine to those of another that wait for them. A number comes again after a reset: the
  // last one that had ended is the one that was waited for.
  void add_flows(const CoreRun& run, Engine from, Engine to, const std::array<std::uint32_t, kCoreEngines>& lanes) {
    std::unordered_map<std::int64_t, std::vector<std::uint32_t>> by_number;
    bool is_indexed = false;
    for (std::uint32_t i = 0; i < run[to].size(); ++i) {
      const PmuRecord& waiting = run[to][i];
      if (waiting.command == nullptr || waiting.command->detail.empty()) continue;
      const auto whole = read_whole_command(to, waiting.command->detail);
      if (!whole || whole->waits_for == 0) continue;
      for (std::uint32_t j = 0; !is_indexed && j < run[from].size(); ++j) by_number[run[from][j].id + 1].push_back(j);
      is_indexed = true;
      const auto found = by_number.find(whole->waits_for);
      if (found == by_number.end()) continue;
      const auto ended = std::ranges::partition_point(
          found->second, [&](std::uint32_t j) { return run[from][j].end <= waiting.start; });
      if (ended == found->second.begin()) continue;
      capture_.profile.flows.push_back(
          {lanes[static_cast<std::size_t>(from)], *(ended - 1), lanes[static_cast<std::size_t>(to)], i});
    }
  }

  void add_port(const PortRun& port) {
    constexpr std::int32_t kAfterCores = 1000;
    const std::uint32_t lane = add_track(fmt::format("CDMA port {}", port.number), TrackKind::kEngine, device_track_,
                                         kAfterCores + static_cast<std::int32_t>(port.number & 0xFF));
    static const std::vector<std::string> kNone;
    add_records(lane, Engine::kCdma, port.records, [&](const PmuRecord& record) -> const std::vector<std::string>& {
      return record.core >= 0 ? device_.port_functions(static_cast<std::size_t>(record.core)) : kNone;
    });
  }

  template <typename FunctionsOf>
  void add_records(std::uint32_t lane, Engine engine, const std::vector<PmuRecord>& records,
                   FunctionsOf&& functions_of) {
    CommandArguments arguments(engine, clock_.mhz, host_ != nullptr, capture_.strings);
    Track& track = capture_.profile.tracks[lane];
    const std::size_t most = std::min(records.size(), EventColumns::kMostEvents);
    track.events.reserve(most);
    for (std::uint32_t i = 0; i < most; ++i) {
      const PmuRecord& record = records[i];
      const auto names = arguments.add(i, record, functions_of(record));
      const std::int64_t start_ns = time_ns(record.start), end_ns = time_ns(record.end + 1);
      // Engines that wait for a message, or send one, are not busy.
      const EventKind kind = is_system(engine, record.words) ? EventKind::kAsynchronous : EventKind::kSpan;
      track.events.push_back({.start_ns = start_ns,
                              .dur_ns = end_ns - start_ns,
                              .name = names.name,
                              .category = names.category,
                              .kind = kind});
      extent_.take(start_ns, end_ns);
    }
    track.arguments = arguments.take();
    known_ += arguments.known();
  }

  void add_runs() {
    for (const auto& [batch, extent] : batch_extents_) {
      capture_.profile.runs.push_back({.track = device_track_,
                                       .kind = capture_.strings.add("batch"),
                                       .name = capture_.strings.add(fmt::format("batch {}", batch)),
                                       .number = batch,
                                       .from_ns = extent.start_ns,
                                       .to_ns = extent.end_ns});
    }
  }

  void add_fact(std::string_view name, const ArgumentValue& value, std::string_view unit = "") {
    Fact fact;
    fact.subject = capture_.strings.add(folder_.name);
    fact.name = capture_.strings.add(name);
    fact.value = value;
    fact.unit = capture_.strings.add(unit);
    capture_.facts.push_back(fact);
  }

  void add_facts() {
    const Chip& chip = device_.chip();
    const auto text = [&](std::string_view words) { return ArgumentValue(capture_.strings.add(words)); };
    add_fact("chip", text(fmt::format("{} ({})", chip.name, chip.product)));
    add_fact("clock", clock_.mhz, "MHz");
    add_fact("clock known from", text(clock_.source));
    if (base_) add_fact("beside the host by", text(base_->known_from));
    if (base_ && !base_->is_known)
      capture_.notes.push_back(fmt::format(
          "{}: the host's trace does not say when the TPU ran; the TPU's profile is placed at its beginning",
          folder_.name));
    add_fact("cores recorded", static_cast<std::int64_t>(device_.core_count()));
    add_fact("DDR peak of a core", chip.ddr_gb_per_s * 1e9, "B/s");
    add_fact("L2 peak", chip.l2_gb_per_s * 1e9, "B/s");
    add_what_is_known();
    if (!folder_.global) return;
    for (const GlobalFile::Line& line : folder_.global->lines) {
      if (!line.has_value) continue;
      const auto number = parse_number(line.value);
      add_fact(line.key, number ? ArgumentValue(*number) : text(line.value));
    }
    if (folder_.global->is_bmodel) add_fact("profile of", text("a compiled model (bmodel)"));
  }

  // The profiler's mode decides how much is recorded of commands; the part that vizd does not decode is told.
  void add_what_is_known() {
    const auto fact = [&](std::string_view name, std::uint64_t count) {
      if (count > 0) add_fact(name, static_cast<std::int64_t>(count));
    };
    fact("commands", known_.commands);
    fact("commands of a kind not recorded", known_.without_kind);
    fact("commands decoded whole", known_.whole);
    fact("commands decoded in part, the rest as raw words", known_.in_part);
    add_fact("not decoded", ArgumentValue(capture_.strings.add("operations and microarchitecture rate of TIU commands, "
                                                               "burst lengths of DMA commands")));
  }

  const ProfileFolder& folder_;
  Device device_;
  const DeviceClock clock_;
  const HostTrace* host_;  // null: there is none
  std::optional<HostBase> base_;
  Capture& capture_;
  std::uint32_t device_track_ = 0;
  Extent extent_;
  CommandArguments::Known known_;
  std::map<std::int64_t, Extent> batch_extents_;
};

}  // namespace

DeviceClock device_clock(const ProfileFolder& folder, const Chip& chip, std::optional<double> mhz) {
  if (mhz) return {*mhz, "--tiu-freq"};
  if (folder.global) {
    const auto written = folder.global->number("tpu_freq");
    if (written && *written > 0) return {static_cast<double>(*written), "tpu_freq in global.profile"};
  }
  return {chip.clock_mhz, "assumed: the chip's nominal clock"};
}

void add_device(const ProfileFolder& folder, std::optional<double> mhz, const HostTrace* host, Capture& capture,
                std::int64_t& start_ns, std::int64_t& end_ns) {
  DeviceTracks tracks(folder, mhz, host, capture);
  tracks.add();
  if (tracks.extent().is_empty()) return;
  start_ns = std::min(start_ns, tracks.extent().start_ns);
  end_ns = std::max(end_ns, tracks.extent().end_ns);
}

}  // namespace vizd::bigtpu
