#include "formats/etdump/tracks.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "formats/etdump/allocations.h"
#include "formats/etdump/calls.h"
#include "formats/etdump/control_flow.h"
#include "formats/etdump/modules.h"

namespace vizd::etdump {
namespace {

constexpr double kUnit_ns[] = {1, 1e3, 1e6, 1e9, 1};  // by TimeScale; a cycle is drawn as a nanosecond
constexpr double kMostTime_ns = 1e18;                 // model/profile.h: below 2^60

constexpr std::size_t kMostNamesBytes = 300;
constexpr std::size_t kMostArgumentsOfTrack = 4096;

// When an event was, on the capture's clock.
struct Stretch {
  std::int64_t start_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();

  void take(const Stretch& other) {
    start_ns = std::min(start_ns, other.start_ns);
    end_ns = std::max(end_ns, other.end_ns);
  }
  bool is_empty() const { return start_ns > end_ns; }
};

// Labels that are the same in each iteration of an event.
struct Labels {
  StringId name{}, category{}, ops{}, nodes{}, module{}, delegate{};
  ContextId context{kNoId};  // the graph that its nodes stand in
};

class TrackMaker {
 public:
  TrackMaker(const DumpBlocks& dump, Capture& capture) : dump_(dump), settings_(dump.settings), capture_(capture) {}

  void add() {
    process_ = add_track("ExecuTorch", TrackKind::kProcess, Track::kNoParent, 0);
    device_ = add_track("CPU", TrackKind::kDevice, Track::kNoParent, 1);
    for (std::size_t i = 0; i < dump_.blocks.size(); ++i) add_block(dump_.blocks[i], branches_of(dump_.blocks, i));
    if (settings_.source == TimeScale::kCycles)
      capture_.notes.emplace_back("its times are cycles: each is drawn as a nanosecond");
    for (const std::string& backend : own_clocks_)
      capture_.notes.push_back(
          fmt::format("{} has a clock of its own: its events are drawn within their call, from its start", backend));
    if (dump_.tensors_without_buffer > 0)
      capture_.notes.push_back(fmt::format(
          "the values of {} logged tensors are in a debug buffer that was not given; name it with --debug-buffer FILE",
          dump_.tensors_without_buffer));
    std::ranges::move(idle_rules(settings_, dump_.blocks), std::back_inserter(capture_.notes));
  }

  std::uint32_t process() const { return process_; }
  // By the run's place in the file.
  const std::map<std::uint32_t, Stretch>& runs() const { return runs_; }

 private:
  std::uint32_t add_track(const std::string& name, TrackKind kind, std::uint32_t parent, std::int32_t sort) {
    const std::uint32_t track = find_or_add_track(capture_.profile.tracks, parent, kind, capture_.strings.add(name));
    capture_.profile.tracks[track].sort = sort;
    return track;
  }

  double unit_ns(TimeScale scale) const { return kUnit_ns[static_cast<std::size_t>(scale)]; }

  std::optional<std::int64_t> ns(std::uint64_t ticks) const {
    const double unit = unit_ns(settings_.source);
    if (!(static_cast<double>(ticks) * unit < kMostTime_ns / 2)) return std::nullopt;
    return static_cast<std::int64_t>(ticks) * static_cast<std::int64_t>(unit);
  }

  // On the runtime's clock; none of times that no clock has.
  std::optional<Stretch> stretch_of(const BlockEvent& event, std::size_t iteration) const {
    const auto start_ns = ns(event.start(iteration));
    const auto dur_ns = ns(elapsed_ticks(event.start(iteration), event.end(iteration)));
    if (!start_ns || !dur_ns) return std::nullopt;
    return Stretch{*start_ns, *start_ns + *dur_ns};
  }

  void add_block(const Block& block, const std::vector<Branch>& branches) {
    thread_ = add_track(block.method != nullptr ? block.method->name : "program", TrackKind::kThread, process_, 0);
    const CallTree calls = call_tree(block);
    const std::vector<bool> is_repeated = repeated_events(block);
    std::vector<Labels> labels;
    std::vector<std::uint32_t> lanes;
    for (const BlockEvent& event : block.events) {
      labels.push_back(labels_of(block, event));
      lanes.push_back(lane_of(event));
    }
    std::vector<std::optional<Stretch>> drawn(block.events.size());  // of one iteration
    for (std::size_t iteration = 0; iteration < block.runs.size(); ++iteration) {
      Stretch run;
      place_events(block, calls, iteration, drawn);
      for (const std::size_t i : outer_first(lanes, drawn)) {
        const BlockEvent& event = block.events[i];
        if (!event.is_timed) continue;
        if (!drawn[i]) {
          ++capture_.skipped["events at times that no clock has"];
          continue;
        }
        run.take(*drawn[i]);
        add_event(lanes[i], event, labels[i], *drawn[i], iteration);
        // A call that tells nothing of its parts is itself what the delegate did.
        if (is_delegate_call(event) && calls.parts[i].empty())
          add_event(delegate_lane(event), event, labels[i], *drawn[i], iteration);
      }
      if (run.is_empty()) continue;
      runs_[block.runs[iteration]] = run;
      add_run(Track::kNoParent, "iteration", block.name, static_cast<std::int64_t>(iteration), run);
      add_loop(block, is_repeated, drawn);
      add_branches(block, branches, drawn);
    }
  }

  // The places of a block's events in the order in which they are appended: as the file has them, but for those of a
  // lane that take the same time. The runtime tells of an event when it ends, so that of those the last told holds the
  // others.
  static std::vector<std::size_t> outer_first(const std::vector<std::uint32_t>& lanes,
                                              const std::vector<std::optional<Stretch>>& drawn) {
    std::vector<std::size_t> order(drawn.size()), by_time;
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::copy_if(order, std::back_inserter(by_time),
                         [&](std::size_t i) { return drawn[i] && drawn[i]->end_ns > drawn[i]->start_ns; });
    const auto when = [&](std::size_t i) { return std::tuple(lanes[i], drawn[i]->start_ns, drawn[i]->end_ns); };
    std::ranges::stable_sort(by_time, {}, when);
    for (std::size_t from = 0, to = 0; from < by_time.size(); from = to) {
      while (to < by_time.size() && when(by_time[to]) == when(by_time[from])) ++to;
      for (std::size_t i = from; i < to; ++i) order[by_time[i]] = by_time[to - 1 - (i - from)];
    }
    return order;
  }

  void add_run(std::uint32_t track, std::string_view kind, std::string_view name, std::int64_t number,
               Stretch stretch) {
    capture_.profile.runs.push_back({.track = track,
                                     .kind = capture_.strings.add(kind),
                                     .name = capture_.strings.add(name),
                                     .number = number,
                                     .from_ns = stretch.start_ns,
                                     .to_ns = stretch.end_ns});
  }

  // Where the events of an iteration are drawn: at their own times, and parts of a call whose clock is not that of the
  // call within it.
  void place_events(const Block& block, const CallTree& calls, std::size_t iteration,
                    std::vector<std::optional<Stretch>>& drawn) {
    for (std::size_t i = 0; i < block.events.size(); ++i)
      drawn[i] = block.events[i].is_timed ? stretch_of(block.events[i], iteration) : std::nullopt;
    for (std::size_t call = 0; call < block.events.size(); ++call) {
      if (!is_delegate_call(block.events[call]) || !has_own_clock(block, calls, call, iteration)) continue;
      own_clocks_.insert(block.events[call].backend.value_or("a delegate"));
      put_into_call(block, calls.parts[call], drawn[call], drawn);
    }
  }

  void put_into_call(const Block& block, const std::vector<std::size_t>& parts, const std::optional<Stretch>& call,
                     std::vector<std::optional<Stretch>>& drawn) const {
    // The length of a tick of a part's clock, in ticks of the runtime's.
    const auto scale_of = [&](std::size_t part) {
      return settings_.factor() / settings_.delegate_factor(block.events[part]);
    };
    Stretch own;  // of the parts, on their clock
    for (const std::size_t part : parts) {
      if (drawn[part]) own.take(*drawn[part]);
    }
    double reach = 0;  // how long the parts take together, by the runtime's clock
    for (const std::size_t part : parts) {
      if (drawn[part])
        reach = std::max(reach, static_cast<double>(drawn[part]->end_ns - own.start_ns) * scale_of(part));
    }
    // Parts that would reach beyond the call are drawn shorter.
    const double room = call ? static_cast<double>(call->end_ns - call->start_ns) : 0;
    const double shrink = reach > room ? room / reach : 1;
    for (const std::size_t part : parts) {
      if (!call) drawn[part].reset();
      if (!drawn[part]) continue;
      const auto at = [&, scale = scale_of(part) * shrink](std::int64_t own_ns) {
        return call->start_ns + std::llround(static_cast<double>(own_ns - own.start_ns) * scale);
      };
      drawn[part] = Stretch{at(drawn[part]->start_ns), at(drawn[part]->end_ns)};
    }
  }

  // The passes of a loop: from the first start to the last end of what ran for the nth time.
  void add_loop(const Block& block, const std::vector<bool>& is_repeated,
                const std::vector<std::optional<Stretch>>& drawn) {
    std::map<std::uint32_t, Stretch> passes;
    for (std::size_t i = 0; i < block.events.size(); ++i) {
      if (is_repeated[i] && drawn[i]) passes[block.events[i].occurrence].take(*drawn[i]);
    }
    for (const auto& [number, pass] : passes)
      add_run(thread_, "loop iteration", fmt::format("pass {}", number + 1), number, pass);
  }

  // A branch is known by the instruction that it begins with.
  void add_branches(const Block& block, const std::vector<Branch>& branches,
                    const std::vector<std::optional<Stretch>>& drawn) {
    for (const Branch& branch : branches) {
      Stretch all;
      for (const std::size_t place : branch.events)
        if (drawn[place]) all.take(*drawn[place]);
      if (all.is_empty()) continue;
      const std::int32_t first = *block.events[branch.events.front()].instruction;
      add_run(thread_, "branch", fmt::format("branch at {}", first), first, all);
    }
  }

  std::uint32_t delegate_lane(const BlockEvent& event) {
    return add_track(event.backend.value_or("delegate"), TrackKind::kEngine, device_, 1);
  }
  std::uint32_t lane_of(const BlockEvent& event) {
    if (event.is_delegated) return delegate_lane(event);
    return is_kernel(event) ? add_track("kernels", TrackKind::kStream, device_, 0) : thread_;
  }

  Labels labels_of(const Block& block, const BlockEvent& event) {
    std::string ops;
    for (const std::string& op : event.op_types) ops += (ops.empty() ? "" : ", ") + op;
    const char* category = event.is_delegated            ? "delegate"
                           : is_delegate_call(event)     ? "delegate call"
                           : is_kernel(event)            ? "kernel"
                           : is_of_framework(event.name) ? "runtime"
                                                         : "instruction";
    return {.name = capture_.strings.add(event.name),
            .category = capture_.strings.add(category),
            .ops = capture_.strings.add(ops),
            .nodes = capture_.strings.add(node_names(block, event)),
            .module = capture_.strings.add(common_module_path(block, event)),
            .delegate = capture_.strings.add(event.backend.value_or("")),
            .context = context_of_event(block, event)};
  }

  // As the graph's boxes call them.
  std::string node_names(const Block& block, const BlockEvent& event) const {
    std::string names;
    if (block.method == nullptr || !block.method->edge) return names;
    for (const std::uint32_t node : event.nodes) {
      if (names.size() > kMostNamesBytes) return names + ", …";
      names += (names.empty() ? "" : ", ") + block.method->edge->nodes[node].name;
    }
    return names;
  }

  ContextId context_of_event(const Block& block, const BlockEvent& event) const {
    // Kernels lead there by the names of their nodes: an event that leads to a context counts as an execution of it.
    if (dump_.record == nullptr || event.name != "Method::execute") return ContextId{kNoId};
    return context_of(*dump_.record, block.method).value_or(ContextId{kNoId});
  }

  void add_event(std::uint32_t lane, const BlockEvent& of, const Labels& labels, Stretch stretch,
                 std::size_t iteration) {
    Track& track = capture_.profile.tracks[lane];
    if (track.events.size() == EventColumns::kMostEvents) {
      ++capture_.skipped["events beyond what a track holds"];
      return;
    }
    const auto event = static_cast<std::uint32_t>(track.events.size());
    track.events.push_back({.start_ns = stretch.start_ns,
                            .dur_ns = stretch.end_ns - stretch.start_ns,
                            .name = labels.name,
                            .context = labels.context,
                            .category = labels.category});
    const auto put = [&](Argument argument, ArgumentValue value) {
      column(lane, argument, type_of(value)).push_back(event, value);
    };
    const auto put_text = [&](Argument argument, StringId text) {
      if (text != StringId{}) put(argument, text);
    };
    put(kIteration, static_cast<std::int64_t>(iteration));
    if (of.instruction) put(kInstruction, static_cast<std::int64_t>(*of.instruction));
    if (of.occurrence > 0) put(kLoopIteration, static_cast<std::int64_t>(of.occurrence));
    put_text(kOps, labels.ops);
    put_text(kNodes, labels.nodes);
    put_text(kModule, labels.module);
    put_text(kDelegate, labels.delegate);
    if (!of.metadata.empty() && !of.metadata[iteration].empty()) {
      const auto bytes = of.metadata[iteration];
      put(kMetadata, capture_.strings.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
      for (const auto& [name, value] : settings_.metadata.fields(of, bytes)) {
        const bool is_taken = std::ranges::find(kNames, name) != std::end(kNames);
        add_field(track.arguments, event, is_taken ? name + " (metadata)" : name, number_or_text(value));
      }
    }
  }

  void add_field(std::vector<ArgumentColumn>& columns, std::uint32_t event, const std::string& name,
                 const MetadataValue& value) {
    if (columns.size() >= kMostArgumentsOfTrack) {
      ++capture_.skipped["fields of delegates' metadata beyond what a track holds"];
      return;
    }
    const auto* text = std::get_if<std::string>(&value);
    const auto* whole = std::get_if<std::int64_t>(&value);
    const ArgumentValue told = text    ? ArgumentValue(capture_.strings.add(*text))
                               : whole ? ArgumentValue(*whole)
                                       : ArgumentValue(std::get<double>(value));
    find_or_add_argument(columns, capture_.strings.add(name), StringId{}, type_of(told)).push_back(event, told);
  }

  // Each has one type.
  enum Argument : std::uint8_t {
    kIteration,
    kInstruction,
    kLoopIteration,
    kOps,
    kNodes,
    kModule,
    kDelegate,
    kMetadata,
    kArguments
  };
  static constexpr std::array<std::string_view, kArguments> kNames = {
      "iteration", "instruction", "loop iteration", "ops", "nodes", "module", "delegate", "delegate metadata"};

  // Looked for once a lane, as there are very many events.
  ArgumentColumn& column(std::uint32_t lane, Argument argument, ArgumentType type) {
    std::vector<ArgumentColumn>& columns = capture_.profile.tracks[lane].arguments;
    if (lane >= column_places_.size()) column_places_.resize(lane + std::size_t{1}, no_places());
    std::uint32_t& place = column_places_[lane][argument];
    if (place == kNoId) {
      const ArgumentColumn& found =
          find_or_add_argument(columns, capture_.strings.add(kNames[argument]), StringId{}, type);
      place = static_cast<std::uint32_t>(&found - columns.data());
    }
    return columns[place];
  }

  using ColumnPlaces = std::array<std::uint32_t, kArguments>;  // in Track::arguments; kNoId where there is none yet
  static ColumnPlaces no_places() {
    ColumnPlaces places;
    places.fill(kNoId);
    return places;
  }

  const DumpBlocks& dump_;
  const Settings& settings_;
  Capture& capture_;
  std::vector<ColumnPlaces> column_places_;              // by lane
  std::uint32_t process_ = 0, device_ = 0, thread_ = 0;  // thread_: of the block that is being added
  std::map<std::uint32_t, Stretch> runs_;
  std::set<std::string> own_clocks_;  // delegates that have one
};

void set_extent(Profile& profile) {
  Stretch all;
  for (const vizd::Run& run : profile.runs) all.take({run.from_ns, run.to_ns});
  profile.start_ns = all.is_empty() ? 0 : all.start_ns;
  profile.end_ns = all.is_empty() ? 0 : all.end_ns;
}

}  // namespace

Result<void> add_tracks(const Sources& sources, Settings settings, const FindErrors& find_errors, Capture& capture) {
  settings.most_raw_values = 0;
  const auto dump = read_blocks(sources, settings);
  if (!dump) return dump.error();
  add_graphs(*dump, find_errors, capture);
  TrackMaker tracks(*dump, capture);
  tracks.add();
  const auto extent = [&](std::uint32_t run) {
    const auto found = tracks.runs().find(run);
    const Stretch stretch = found == tracks.runs().end() ? Stretch{0, 0} : found->second;
    return std::pair(stretch.start_ns, stretch.end_ns);
  };
  VIZD_TRY(add_allocations(*sources.file, extent, tracks.process(), capture));
  set_extent(capture.profile);
  for (const auto& [reason, count] : sources.file->skipped()) capture.skipped[reason] += count;
  if (sources.record != nullptr) {
    for (const auto& [reason, count] : sources.record->left_out) capture.skipped["of the ETRecord: " + reason] += count;
  }
  capture.warnings.insert(capture.warnings.end(), dump->warnings.begin(), dump->warnings.end());
  capture.facts.push_back(
      {.name = capture.strings.add("ETDump version"), .value = static_cast<std::int64_t>(sources.file->version())});
  return {};
}

}  // namespace vizd::etdump
