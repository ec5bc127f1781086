#include "formats/torch_memory/tracks.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "formats/torch_memory/log_maker.h"
#include "formats/trace_words.h"
#include "model/profile_extent.h"

namespace vizd::torch_memory {
namespace {

using Times = std::span<const std::int64_t>;

class Tracks {
 public:
  Tracks(MemoryFile& file, Capture& capture) : file_(file), capture_(capture), sites_(file, capture) {}

  void add() {
    add_devices();
    // What an entry was made of is known by now of all lives.
    entries_ = file_.take_entries();
    for (LargeVector<std::uint32_t>* const column :
         {&entries_.stream, &entries_.pool, &entries_.stack, &entries_.words})
      LargeVector<std::uint32_t>().swap(*column);
    for (std::size_t i = 0; i < traces_.size(); ++i) add_allocations(i);
    add_ranges();
    extend_profile(capture_.profile);
    if (!file_.snapshot().has_times && times_.size() > 0) {
      capture_.notes.push_back("no times were recorded (torch before 2.2): each entry is drawn as a nanosecond");
    }
    add_logs();
  }

  void add_first_curves() {
    counter_ending_ = " from zero";
    add_devices();
    extend_profile(capture_.profile);
  }

 private:
  void add_devices() {
    find_origin();
    first_track_ = capture_.profile.tracks.size();
    for (const auto& replay : file_.replays()) traces_.push_back(file_.snapshot().trace_of(replay->device()));
    take_times();
    for (std::size_t i = 0; i < traces_.size(); ++i) add_device(i);
  }

  // The earliest time is the capture's zero.
  void find_origin() {
    std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t time_ns : file_.snapshot().entries.time_ns) {
      if (time_ns != kNoTime) first_ns = std::min(first_ns, time_ns);
    }
    for (const NamedRange& range : file_.ranges()) first_ns = std::min(first_ns, range.start_ns);
    if (first_ns == std::numeric_limits<std::int64_t>::max()) return;
    origin_ns_ = first_ns;
    capture_.profile.clock.unix_offset_ns = first_ns;
  }

  // On the capture's clock from now on: never before the one before it, and without a time of its own at that one's.
  void take_times() {
    times_ = file_.take_times();
    for (const Trace& trace : traces_) {
      std::int64_t now_ns = 0;
      for (std::uint32_t row = trace.first; row < trace.end; ++row) {
        const std::int64_t time_ns = times_[row];
        if (!file_.snapshot().has_times) {
          now_ns = row - trace.first;
        } else if (time_ns != kNoTime && time_ns - origin_ns_ < kTimeBound_ns) {
          now_ns = std::max(now_ns, time_ns - origin_ns_);
        }
        times_[row] = now_ns;
      }
    }
  }

  Times times_of(std::size_t device) const {
    return std::span(times_).subspan(traces_[device].first, traces_[device].size());
  }
  Track& track_of(std::size_t device) { return capture_.profile.tracks[first_track_ + device]; }

  // What needs the entries.
  void add_device(std::size_t device) {
    Replay& replay = *file_.replays()[device];
    Track& track = capture_.profile.tracks.emplace_back();
    track.name = capture_.strings.add(fmt::format("cuda:{} memory", replay.device()));
    track.kind = TrackKind::kMemory;
    track.number = replay.device();
    track.sort = static_cast<std::int32_t>(capture_.profile.tracks.size());
    add_counters(replay, times_of(device), track);  // runs the replay
    add_ooms(replay, times_of(device));
    if (replay.is_exact()) return;
    capture_.notes.push_back(
        fmt::format("cuda:{}: the replay of its event log is not exact: {} blocks have another size in the snapshot",
                    replay.device(), replay.mismatched_blocks()));
  }

  // The rest, after which the replay is of no use.
  void add_allocations(std::size_t device) {
    const std::unique_ptr<Replay> replay = std::move(file_.replays()[device]);
    find_categories(*replay);
    logs_.emplace_back();
    for_each_index(2, core_count(), [&](std::size_t i) {
      if (i == 0) add_allocations(*replay, times_of(device), track_of(device));
      if (i == 1) logs_.back() = make_log(file_, *replay, sites_, capture_);
    });
  }

  // Changes nothing but the track.
  void add_allocations(const Replay& replay, Times times, Track& track) const {
    const auto time_of = [&](std::int64_t entry) {
      return entry < 0 || times.empty() ? (times.empty() ? 0 : times.front()) : times[static_cast<std::size_t>(entry)];
    };
    track.allocations.reserve(replay.lives().size());
    // Births and deaths in the order of entries; a death before the first entry follows its birth.
    const auto before = static_cast<std::uint32_t>(2 * replay.lives_before());
    std::uint32_t early = 0;
    for (const Life& life : replay.lives()) {
      Allocation& allocation = track.allocations.emplace_back();
      allocation.key = life.address;
      allocation.count = life.block_bytes;
      allocation.item_size_bytes = 1;
      allocation.category = categories_[life.stack];
      allocation.address = life.address;
      allocation.is_earlier = !life.is_born();
      allocation.birth_ns = time_of(life.born);
      allocation.birth_order = life.is_born() ? before + static_cast<std::uint32_t>(2 * life.born) + 1 : early;
      const std::int64_t done = life.done();
      allocation.freed = done != kNever;
      if (allocation.freed) {
        allocation.death_ns = time_of(done);
        allocation.death_order = done < 0 ? early + 1 : before + static_cast<std::uint32_t>(2 * done);
      }
      if (!life.is_born()) early += 2;
    }
  }

  // The user's line by its function and file, or else the operator.
  void find_categories(const Replay& replay) {
    categories_.resize(file_.snapshot().stacks.size(), StringId{kNoId});
    for (const Life& life : replay.lives()) {
      StringId& category = categories_[life.stack];
      if (category == StringId{kNoId}) category = capture_.strings.add(category_of(life.stack));
    }
  }

  std::string category_of(std::uint32_t stack) const {
    const StackWords::Words& words = file_.words().of(stack);
    const Snapshot& snapshot = file_.snapshot();
    if (words.user_frame != kNoId) {
      const Frame& frame = snapshot.frames[words.user_frame];
      std::string_view path = snapshot.strings.get(frame.file);
      path.remove_prefix(path.find_last_of("/\\") + 1);
      return fmt::format("{} {}:{}", snapshot.strings.get(frame.name), path, frame.line);
    }
    if (!words.operator_name.empty()) return fmt::format("aten::{}", words.operator_name);
    if (words.phase != Phase::kNone) return fmt::format("{}, no line of the user's", phase_name(words.phase));
    return "no stack";
  }

  // Counters that change at the same entries, and so share their times.
  struct Series {
    explicit Series(std::initializer_list<Quantity> quantities) : of(quantities), values(of.size()) {}
    void reserve(std::size_t size) {
      at_ns.reserve(size);
      for (LargeVector<double>& of_one : values) of_one.reserve(size);
    }
    void push_back(std::int64_t at, const Counters& now) {
      at_ns.push_back(at);
      for (std::size_t i = 0; i < of.size(); ++i) values[i].push_back(static_cast<double>(now[of[i]]));
    }
    bool differs(const Counters& a, const Counters& b) const {
      return std::ranges::any_of(of, [&](Quantity quantity) { return a[quantity] != b[quantity]; });
    }

    std::vector<Quantity> of;
    LargeVector<std::int64_t> at_ns;
    std::vector<LargeVector<double>> values;  // by quantity
  };

  void add_counters(Replay& replay, Times times, Track& track) {
    std::array<Series, 3> all{Series{Quantity::kAllocated}, Series{Quantity::kReserved},
                              Series{Quantity::kActive, Quantity::kRequested}};
    for (Series& series : all) series.reserve(times.size() + 2);
    Counters last;
    replay.visit_all([&](const Replay::State& state) {
      const std::int64_t at_ns = times.empty()      ? 0
                                 : state.moment < 0 ? times.front()
                                                    : times[static_cast<std::size_t>(state.moment)];
      for (Series& series : all) {
        if (state.moment < 0 || series.differs(state.counters, last)) series.push_back(at_ns, state.counters);
      }
      last = state.counters;
    });
    for (Series& series : all) {
      if (!times.empty() && series.at_ns.back() < times.back()) series.push_back(times.back(), last);
      const auto at_ns = std::make_shared<const LargeVector<std::int64_t>>(std::move(series.at_ns));
      for (std::size_t i = 0; i < series.of.size(); ++i) {
        Counter& counter = track.counters.emplace_back();
        const std::string_view name = kCounterNames[static_cast<std::size_t>(series.of[i])];
        counter.name = capture_.strings.add(fmt::format("{}{}", name, counter_ending_));
        counter.unit = capture_.strings.add("B");
        counter.at_ns = Column<std::int64_t>(*at_ns, at_ns);
        counter.value = Column<double>(std::move(series.values[i]));
      }
    }
  }

  void add_ooms(const Replay& replay, Times times) {
    for (std::int64_t entry = 0; entry < replay.entries(); ++entry) {
      if (replay.action(entry) != Action::kOom) continue;
      capture_.profile.markers.push_back(
          {.at_ns = times[static_cast<std::size_t>(entry)],
           .name = capture_.strings.add(fmt::format("out of memory on cuda:{}", replay.device())),
           .colour = capture_.strings.add("#d33")});
    }
  }

  // A track for each device that has any.
  void add_ranges() {
    std::map<std::optional<std::int64_t>, std::vector<const NamedRange*>> by_device;
    for (const NamedRange& range : file_.ranges()) {
      if (range.start_ns - origin_ns_ < kTimeBound_ns) by_device[range.device].push_back(&range);
    }
    for (auto& [device, ranges] : by_device) {
      const bool is_named = by_device.size() > 1 && device;
      add_ranges_of(is_named ? fmt::format("annotations of cuda:{}", *device) : "annotations", device, ranges);
    }
  }

  // Ranges of different threads may cross: the file does not say of which each is.
  void add_ranges_of(const std::string& name_of_track, std::optional<std::int64_t> device,
                     std::vector<const NamedRange*>& in_order) {
    Track& track = capture_.profile.tracks.emplace_back();
    track.name = capture_.strings.add(name_of_track);
    track.kind = TrackKind::kOther;
    if (device) track.number = *device;
    const auto end_of = [&](const NamedRange& range) {
      return std::max(range.start_ns, range.end_ns.value_or(range.start_ns));
    };
    std::ranges::stable_sort(in_order, [&](const NamedRange* a, const NamedRange* b) {
      return a->start_ns != b->start_ns ? a->start_ns < b->start_ns : end_of(*a) > end_of(*b);
    });
    for (const NamedRange* const range : in_order) {
      const std::int64_t dur_ns =
          std::min(end_of(*range) - range->start_ns, kTimeBound_ns - 1 - (range->start_ns - origin_ns_));
      const StringId name = capture_.strings.add(range->name);
      track.events.push_back({.start_ns = range->start_ns - origin_ns_,
                              .dur_ns = dur_ns,
                              .name = name,
                              .kind = range->end_ns ? EventKind::kAsynchronous : EventKind::kInstant});
      if (!range->name.starts_with(trace::kStepPrefix) || !range->end_ns) continue;
      // A step belongs to all tracks: one process wrote the file, and a step covers its memories too.
      vizd::Run run{.kind = capture_.strings.add("step"),
                    .name = name,
                    .from_ns = range->start_ns - origin_ns_,
                    .to_ns = range->start_ns - origin_ns_ + dur_ns};
      const std::string_view number = range->name.substr(std::min(range->name.find('#'), range->name.size() - 1) + 1);
      std::from_chars(number.data(), number.data() + number.size(), run.number);
      capture_.profile.runs.push_back(run);
    }
  }

  void add_logs() {
    entries_.time_ns = std::move(times_);
    add_entries(std::move(entries_), traces_, logs_);
    for (std::size_t i = 0; i < logs_.size(); ++i) {
      logs_[i]->sites = sites_.sites();
      track_of(i).allocator = std::move(logs_[i]);
    }
  }

  MemoryFile& file_;
  Capture& capture_;
  Sites sites_;
  std::string_view counter_ending_;  // of the counters' names
  std::size_t first_track_ = 0;      // of the devices
  std::vector<Trace> traces_;        // by device
  std::vector<std::shared_ptr<AllocatorLog>> logs_;
  LargeVector<std::int64_t> times_;  // by entry
  Entries entries_;                  // once all replays have run
  std::int64_t origin_ns_ = 0;
  std::vector<StringId> categories_;  // by stack; kNoId: not yet known
};

}  // namespace

void add_tracks(MemoryFile& file, Capture& capture) { Tracks(file, capture).add(); }

void add_first_curves(MemoryFile& file, Capture& capture) { Tracks(file, capture).add_first_curves(); }

}  // namespace vizd::torch_memory
