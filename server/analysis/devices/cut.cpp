#include "analysis/devices/cut.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "analysis/devices/device_work.h"
#include "model/allocator_log.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

using Kept = std::vector<std::vector<bool>>;  // by track and event

class Cutter {
 public:
  Cutter(Capture& capture, const std::vector<CutRange>& ranges)
      : capture_(capture), profile_(capture.profile), ranges_(ranges) {}

  void cut() {
    choose();
    cut_flow_ends();
    cut_flows();
    for (std::uint32_t t = 0; t < profile_.tracks.size(); ++t) cut_track(t);
    std::erase_if(profile_.markers, [&](const Marker& marker) { return !overlaps(kNoId, marker.at_ns, marker.at_ns); });
    std::erase_if(profile_.runs, [&](const Run& run) { return !overlaps(run.track, run.from_ns, run.to_ns); });
    set_extent();
  }

 private:
  // A track of kNoId is everybody's.
  bool overlaps(std::uint32_t track, std::int64_t from_ns, std::int64_t to_ns) const {
    return std::ranges::any_of(ranges_, [&](const CutRange& range) {
      const bool is_of = range.root == kNoId || track == kNoId || is_below(profile_.tracks, track, range.root);
      return is_of && from_ns <= range.to_ns && to_ns >= range.from_ns;
    });
  }

  void choose() {
    kept_.resize(profile_.tracks.size());
    has_work_.resize(profile_.tracks.size());
    for (std::uint32_t t = 0; t < profile_.tracks.size(); ++t) {
      const EventColumns& events = profile_.tracks[t].events;
      kept_[t].resize(events.size());
      for (std::uint32_t i = 0; i < events.size(); ++i) kept_[t][i] = overlaps(t, events.start_ns(i), events.end_ns(i));
    }
    const DeviceWork work = find_device_work(capture_);
    for (const WorkItem& item : work.items) {
      has_work_[item.track] = true;
      if (item.call != kNoId) {
        const ProfileEvent& call = work.calls[item.call];
        kept_[item.track][item.event] = kept_[call.track][call.event];
      }
      if (kept_[item.track][item.event]) work_starts_.emplace(item.track, item.start_ns);
    }
  }

  // An end on a stream belongs to the work that begins there.
  void cut_flow_ends() {
    FlowEnds ends;
    for (std::size_t i = 0; i < profile_.flow_ends.size(); ++i) {
      const FlowEnd end = profile_.flow_ends[i];
      const bool is_kept = has_work_[end.track] ? work_starts_.contains({end.track, end.at_ns})
                                                : overlaps(end.track, end.at_ns, end.at_ns);
      if (is_kept) ends.push_back(end);
    }
    profile_.flow_ends = std::move(ends);
  }

  void cut_flows() {
    now_at_.resize(kept_.size());
    for (std::size_t t = 0; t < kept_.size(); ++t) {
      std::uint32_t next = 0;
      for (const bool is_kept : kept_[t]) now_at_[t].push_back(is_kept ? next++ : kNoId);
    }
    Column<Flow> flows;
    for (Flow flow : profile_.flows.span()) {
      flow.from_event = now_at_[flow.from_track][flow.from_event];
      flow.to_event = now_at_[flow.to_track][flow.to_event];
      if (flow.from_event != kNoId && flow.to_event != kNoId) flows.push_back(flow);
    }
    profile_.flows = std::move(flows);
  }

  void cut_track(std::uint32_t t) {
    Track& track = profile_.tracks[t];
    EventColumns events;
    for (std::uint32_t i = 0; i < track.events.size(); ++i) {
      if (kept_[t][i]) events.push_back(track.events[i]);
    }
    track.events = std::move(events);
    for (ArgumentColumn& column : track.arguments) {
      ArgumentColumn left{.name = column.name,
                          .unit = column.unit,
                          .type = column.type,
                          .is_hidden = column.is_hidden,
                          .events = {},
                          .numbers = {},
                          .reals = {}};
      for (std::size_t i = 0; i < column.size(); ++i) {
        if (const std::uint32_t now = now_at_[t][column.event(i)]; now != kNoId) left.push_back(now, column.value(i));
      }
      column = std::move(left);
    }
    for (Counter& counter : track.counters) {
      Counter left{.name = counter.name,
                   .unit = counter.unit,
                   .series = counter.series,
                   .category = counter.category,
                   .at_ns = {},
                   .value = {}};
      for (std::size_t i = 0; i < counter.at_ns.size(); ++i) {
        if (!overlaps(t, counter.at_ns[i], counter.at_ns[i])) continue;
        left.at_ns.push_back(counter.at_ns[i]);
        left.value.push_back(counter.value[i]);
      }
      counter = std::move(left);
    }
    StackSamples samples;
    for (std::size_t i = 0; i < track.samples.size(); ++i) {
      const std::int64_t at_ns = track.samples.at_ns[i];
      if (overlaps(t, at_ns, at_ns))
        samples.push_back(at_ns, to_id<StackId>(std::size_t{track.samples.stack[i]}), track.samples.weight[i]);
    }
    track.samples = std::move(samples);
    cut_memory(t, track);
  }

  // When an allocation's memory was free for others.
  static std::int64_t end_ns(const Track& track, std::uint32_t allocation) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    const Allocation& of = track.allocations[allocation];
    const AllocatorLog* const log = track.allocator.get();
    if (log == nullptr || allocation >= log->lives.size()) return of.freed ? of.death_ns : kLast;
    const AllocatorMoment completed = log->lives.completed[allocation];
    return completed == kNeverDone ? kLast : completed == 0 ? of.death_ns : log->entries.at_ns[completed - 1];
  }

  // Its entries of the ranges, and what is left of the allocations. places: of each of these now; kNoId: gone.
  std::shared_ptr<const AllocatorLog> cut_allocator(std::uint32_t t, const AllocatorLog& log,
                                                    const std::vector<std::uint32_t>& places) const {
    auto left = std::make_shared<AllocatorLog>();
    left->device = log.device, left->actions = log.actions, left->pools = log.pools, left->sites = log.sites;
    left->has_times = log.has_times, left->is_exact = log.is_exact, left->mismatched = log.mismatched;
    std::vector<AllocatorMoment> moments{0};  // by moment before
    for (std::size_t i = 0; i < log.entries.size(); ++i) {
      const bool is_kept = overlaps(t, log.entries.at_ns[i], log.entries.at_ns[i]);
      moments.push_back(moments.back() + (is_kept ? 1 : 0));
      if (!is_kept) continue;
      left->entries.action.push_back(log.entries.action[i]);
      left->entries.at_ns.push_back(log.entries.at_ns[i]);
      left->entries.address.push_back(log.entries.address[i]);
      left->entries.size_bytes.push_back(log.entries.size_bytes[i]);
    }
    // What came after the last entry that is left never came.
    const auto moment = [&](AllocatorMoment before) {
      if (before == kNeverDone || before == 0) return before;
      const bool is_later = moments[before] == moments.back() && moments[before] == moments[before - 1];
      return is_later ? kNeverDone : moments[before];
    };
    const AllocatorLives& lives = log.lives;
    for (std::size_t i = 0; i < std::min(places.size(), lives.size()); ++i) {
      if (places[i] == kNoId) continue;
      left->lives.requested_bytes.push_back(lives.requested_bytes[i]);
      left->lives.born.push_back(std::min(moments[lives.born[i]], moments.back()));
      left->lives.freed.push_back(moment(lives.freed[i]));
      left->lives.completed.push_back(moment(lives.completed[i]));
      left->lives.pool.push_back(lives.pool[i]);
      left->lives.site.push_back(lives.site[i]);
      left->lives.flags.push_back(lives.flags[i]);
    }
    for (AllocatorSegment segment : log.segments.span()) {
      segment.from = moments[segment.from];
      segment.to = moment(segment.to);
      if (segment.from < segment.to) left->segments.push_back(segment);
    }
    return left;
  }

  void cut_memory(std::uint32_t t, Track& track) {
    std::vector<std::uint32_t> places(track.allocations.size(), kNoId);
    std::vector<Allocation> allocations;
    for (std::uint32_t i = 0; i < track.allocations.size(); ++i) {
      const Allocation& allocation = track.allocations[i];
      if (!overlaps(t, allocation.birth_ns, end_ns(track, i))) continue;
      places[i] = static_cast<std::uint32_t>(allocations.size());
      allocations.push_back(allocation);
    }
    if (track.allocator != nullptr) track.allocator = cut_allocator(t, *track.allocator, places);
    track.allocations = std::move(allocations);
    Column<Use> uses;
    for (Use use : track.uses.span()) {
      use.allocation = places[use.allocation];
      use.event = now_at_[use.track][use.event];
      if (use.allocation != kNoId && use.event != kNoId) uses.push_back(use);
    }
    track.uses = std::move(uses);
  }

  void set_extent() {
    std::optional<std::int64_t> start_ns, end_ns;
    const auto hold = [&](std::int64_t from_ns, std::int64_t to_ns) {
      start_ns = std::min(start_ns.value_or(from_ns), from_ns);
      end_ns = std::max(end_ns.value_or(to_ns), to_ns);
    };
    for (const Track& track : profile_.tracks) {
      for (std::size_t i = 0; i < track.events.size(); ++i) hold(track.events.start_ns(i), track.events.end_ns(i));
      for (const Counter& counter : track.counters) {
        for (const std::int64_t at_ns : counter.at_ns.span()) hold(at_ns, at_ns);
      }
    }
    profile_.start_ns = start_ns.value_or(0);
    profile_.end_ns = end_ns.value_or(0);
  }

  Capture& capture_;
  Profile& profile_;
  const std::vector<CutRange>& ranges_;
  Kept kept_;
  std::vector<bool> has_work_;                                    // by track
  std::set<std::pair<std::uint32_t, std::int64_t>> work_starts_;  // of the work that is kept
  std::vector<std::vector<std::uint32_t>> now_at_;                // by track and event; kNoId: gone
};

}  // namespace

std::vector<CutRange> cut_ranges(const Capture& capture, const WorkScope& scope) {
  const Profile& profile = capture.profile;
  std::vector<CutRange> ranges;
  for (const Run& run : profile.runs) {
    if (scope.step == run.number) ranges.push_back({run.track, run.from_ns, run.to_ns});
  }
  if (!scope.step) ranges.push_back({kNoId, profile.start_ns, profile.end_ns});
  if (const auto range = scope.range_in(profile)) {
    for (CutRange& of : ranges) of = {of.root, std::max(of.from_ns, range->from_ns), std::min(of.to_ns, range->to_ns)};
    std::erase_if(ranges, [](const CutRange& of) { return of.from_ns > of.to_ns; });
  }
  if (!scope.rank) return ranges;
  std::vector<CutRange> of_rank;
  for (const Fact& fact : capture.facts) {
    const bool is_rank = capture.strings.get(fact.subject) == "distributedInfo" &&
                         capture.strings.get(fact.name) == "rank" &&
                         value_text(fact.value, capture.strings) == *scope.rank;
    if (!is_rank) continue;
    for (const CutRange& of : ranges) {
      if (of.root == kNoId || of.root == fact.track) of_rank.push_back({fact.track, of.from_ns, of.to_ns});
    }
  }
  return of_rank;
}

void cut_profile(Capture& capture, const std::vector<CutRange>& ranges) { Cutter(capture, ranges).cut(); }

}  // namespace vizd
