#include "formats/torch_memory/tracks.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "formats/torch_memory/log_maker.h"
#include "formats/trace_words.h"
#include "model/profile_extent.h"

namespace vizd::torch_memory {
namespace {

using Times = LargeVector<std::int64_t>;

class Tracks {
 public:
  Tracks(MemoryFile& file, Capture& capture) : file_(file), capture_(capture), sites_(file, capture) {}

  void add() {
    find_origin();
    const std::size_t first = capture_.profile.tracks.size();
    for (const auto& replay : file_.replays()) add_device(*replay);
    add_ranges();
    extend_profile(capture_.profile);
    if (!file_.snapshot().has_times && file_.snapshot().entries.size() > 0) {
      capture_.notes.push_back(
          "no times were recorded, as by versions of torch before 2.2: one entry is drawn as a nanosecond");
    }
    add_logs(first);
  }

 private:
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

  // By entry on the capture's clock: never before the one before it, and without a time of its own at that one's.
  Times times_of(const Replay& replay) const {
    Times times;
    times.reserve(static_cast<std::size_t>(replay.entries()));
    std::int64_t now_ns = 0;
    for (std::int64_t entry = 0; entry < replay.entries(); ++entry) {
      const std::int64_t time_ns = replay.time_ns(entry);
      if (!file_.snapshot().has_times) {
        now_ns = entry;
      } else if (time_ns != kNoTime && time_ns - origin_ns_ < kTimeBound_ns) {
        now_ns = std::max(now_ns, time_ns - origin_ns_);
      }
      times.push_back(now_ns);
    }
    return times;
  }

  void add_device(Replay& replay) {
    Times times = times_of(replay);
    Track& track = capture_.profile.tracks.emplace_back();
    track.name = capture_.strings.add(fmt::format("cuda:{} memory", replay.device()));
    track.kind = TrackKind::kMemory;
    track.number = replay.device();
    track.sort = static_cast<std::int32_t>(capture_.profile.tracks.size());
    add_counters(replay, times, track);  // runs the replay
    add_allocations(replay, times, track);
    add_ooms(replay, times);
    logs_.push_back(make_log(file_, replay, sites_, capture_));
    logs_.back()->entries.at_ns = Column<std::int64_t>(std::move(times));
    if (replay.is_exact()) return;
    capture_.notes.push_back(
        fmt::format("cuda:{}: the replay of its entries is not exact: of {} blocks the size is not as the "
                    "snapshot has it",
                    replay.device(), replay.mismatched_blocks()));
  }

  void add_allocations(const Replay& replay, const Times& times, Track& track) {
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
      allocation.category = category_of(life.stack);
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
  StringId category_of(std::uint32_t stack) {
    if (stack >= categories_.size()) categories_.resize(file_.snapshot().stacks.size(), StringId{kNoId});
    StringId& category = categories_[stack];
    if (category != StringId{kNoId}) return category;
    const StackWords::Words& words = file_.words().of(stack);
    const Snapshot& snapshot = file_.snapshot();
    std::string text = "no stack";
    if (words.user_frame != kNoId) {
      const Frame& frame = snapshot.frames[words.user_frame];
      std::string_view path = snapshot.strings.get(frame.file);
      path.remove_prefix(path.find_last_of("/\\") + 1);
      text = fmt::format("{} {}:{}", snapshot.strings.get(frame.name), path, frame.line);
    } else if (!words.operator_name.empty()) {
      text = fmt::format("aten::{}", words.operator_name);
    } else if (words.phase != Phase::kNone) {
      text = fmt::format("{}, no line of the user's", phase_name(words.phase));
    }
    return category = capture_.strings.add(text);
  }

  void add_counters(Replay& replay, const Times& times, Track& track) {
    constexpr Quantity kShown[] = {Quantity::kAllocated, Quantity::kReserved, Quantity::kActive, Quantity::kRequested};
    std::vector<Counter> counters(std::size(kShown));
    for (std::size_t i = 0; i < counters.size(); ++i) {
      const std::string_view name = kCounterNames[static_cast<std::size_t>(kShown[i])];
      counters[i].name = capture_.strings.add(kShown[i] == Quantity::kAllocated ? kAllocatedCounter : name);
      counters[i].unit = capture_.strings.add("B");
    }
    for (Counter& counter : counters) {
      counter.at_ns.reserve(times.size() + 1);
      counter.value.reserve(times.size() + 1);
    }
    Counters last;
    replay.visit_all([&](const Replay::State& state) {
      const std::int64_t at_ns = times.empty()      ? 0
                                 : state.moment < 0 ? times.front()
                                                    : times[static_cast<std::size_t>(state.moment)];
      for (std::size_t i = 0; i < counters.size(); ++i) {
        if (state.moment >= 0 && state.counters[kShown[i]] == last[kShown[i]]) continue;
        counters[i].at_ns.push_back(at_ns);
        counters[i].value.push_back(static_cast<double>(state.counters[kShown[i]]));
      }
      last = state.counters;
    });
    for (Counter& counter : counters) {
      if (!times.empty() && counter.at_ns[counter.at_ns.size() - 1] < times.back()) {
        counter.at_ns.push_back(times.back());
        counter.value.push_back(static_cast<double>(counter.value[counter.value.size() - 1]));
      }
      track.counters.push_back(std::move(counter));
    }
  }

  void add_ooms(const Replay& replay, const Times& times) {
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
      // Of all tracks: one process wrote the file, whose memories a step is a time of as well.
      vizd::Run run{.kind = capture_.strings.add("step"),
                    .name = name,
                    .from_ns = range->start_ns - origin_ns_,
                    .to_ns = range->start_ns - origin_ns_ + dur_ns};
      const std::string_view number = range->name.substr(std::min(range->name.find('#'), range->name.size() - 1) + 1);
      std::from_chars(number.data(), number.data() + number.size(), run.number);
      capture_.profile.runs.push_back(run);
    }
  }

  // Last, since the entries' columns go into them.
  void add_logs(std::size_t first_track) {
    std::vector<Trace> traces;
    for (const auto& replay : file_.replays()) traces.push_back(file_.snapshot().trace_of(replay->device()));
    add_entries(file_.take_entries(), traces, logs_);
    for (std::size_t i = 0; i < logs_.size(); ++i) {
      logs_[i]->sites = sites_.sites();
      capture_.profile.tracks[first_track + i].allocator = std::move(logs_[i]);
    }
  }

  MemoryFile& file_;
  Capture& capture_;
  Sites sites_;
  std::vector<std::shared_ptr<AllocatorLog>> logs_;  // by replay
  std::int64_t origin_ns_ = 0;
  std::vector<StringId> categories_;  // by stack; kNoId: not yet known
};

}  // namespace

void add_tracks(MemoryFile& file, Capture& capture) { Tracks(file, capture).add(); }

}  // namespace vizd::torch_memory
