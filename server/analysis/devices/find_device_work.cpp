// Finds the work of devices: a trace's by what its events say that they are, any other profile's by the lanes of its
// devices.
#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analysis/devices/device_streams.h"
#include "analysis/devices/device_work.h"
#include "analysis/devices/kernel_names.h"
#include "analysis/devices/step_times.h"
#include "analysis/figures/argument_cursor.h"
#include "base/parallel.h"

namespace vizd {
namespace {

ProfileEvent event_at(const std::vector<Track>& tracks, std::uint32_t track, std::uint32_t event) {
  const EventColumns& events = tracks[track].events;
  return {.start_ns = events.start_ns(event),
          .end_ns = events.end_ns(event),
          .track = track,
          .event = event,
          .order = events.order(event)};
}

// The calls of the host that launched a trace's work: those that lead to it.
class LaunchCalls {
 public:
  explicit LaunchCalls(const Capture& capture) : tracks_(capture.profile.tracks) {
    if (!capture.profile.is_trace) return;
    for (const Flow& flow : capture.profile.flows.span()) {
      const bool is_launch = tracks_[flow.from_track].events.role(flow.from_event) == EventRole::kCall &&
                             is_work(tracks_[flow.to_track].events.role(flow.to_event));
      if (is_launch) launches_.push_back(flow);
    }
    const auto key = [](const Flow& of) { return std::tuple(of.to_track, of.to_event, of.from_track, of.from_event); };
    if (!std::ranges::is_sorted(launches_, {}, key)) std::ranges::sort(launches_, {}, key);
  }

  // For one track, whose events are asked for in order.
  void begin_track(std::uint32_t track) {
    next_ = std::ranges::lower_bound(launches_, track, {}, &Flow::to_track);
    track_ = track;
  }

  // The place, in the list of calls, of the one that launched the event: of several the last that began before it. Adds
  // it where it is not there; kNoId: none launched it.
  std::uint32_t place_of(std::uint32_t event, std::vector<ProfileEvent>& calls) {
    const auto is_before = [&](const Flow& launch) { return launch.to_track == track_ && launch.to_event < event; };
    while (next_ != launches_.end() && is_before(*next_)) ++next_;
    const Flow* best = nullptr;
    const std::int64_t at_ns = tracks_[track_].events.start_ns(event);
    const auto start_ns = [&](const Flow& of) { return tracks_[of.from_track].events.start_ns(of.from_event); };
    for (; next_ != launches_.end() && next_->to_track == track_ && next_->to_event == event; ++next_) {
      const bool is_better = best == nullptr || (start_ns(*next_) <= at_ns && start_ns(*next_) > start_ns(*best));
      if (is_better) best = &*next_;
    }
    if (best == nullptr) return kNoId;
    const auto [found, is_new] = places_.try_emplace(std::uint64_t{best->from_track} << 32 | best->from_event,
                                                     static_cast<std::uint32_t>(calls.size()));
    if (is_new) calls.push_back(event_at(tracks_, best->from_track, best->from_event));
    return found->second;
  }

  // Adds those below the root that have a correlation, and led to nothing that is there.
  void add_others(const Capture& capture, std::uint32_t root, std::vector<ProfileEvent>& calls) {
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (tracks_[t].events.empty() || !is_below(tracks_, t, root)) continue;
      ArgumentCursor correlation(tracks_[t], "correlation", capture.strings);
      if (correlation.empty()) continue;
      for (std::uint32_t i = 0; i < tracks_[t].events.size(); ++i) {
        if (tracks_[t].events.role(i) != EventRole::kCall || !correlation.key_at(i)) continue;
        if (!places_.contains(std::uint64_t{t} << 32 | i)) calls.push_back(event_at(tracks_, t, i));
      }
    }
  }

 private:
  const std::vector<Track>& tracks_;
  LargeVector<Flow> launches_;  // by work
  LargeVector<Flow>::const_iterator next_ = launches_.begin();
  std::uint32_t track_ = kNoId;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;  // by track and event
};

// Tells what names say of the work: found once each.
class WorkNames {
 public:
  struct Tells {
    bool is_known = false, is_communication = false, is_copy = false;
  };

  explicit WorkNames(const StringTable& strings) : strings_(strings) {}

  const Tells& find(StringId name) {
    if (index(name) >= tells_.size()) tells_.resize(std::bit_ceil(std::size_t{index(name)} + 1));
    Tells& tells = tells_[index(name)];
    if (!tells.is_known) tells = {true, is_communication_kernel(strings_.get(name)), is_copy(strings_.get(name))};
    return tells;
  }
  // The name was found before; any thread.
  const Tells& known(StringId name) const { return tells_[index(name)]; }

 private:
  const StringTable& strings_;
  std::vector<Tells> tells_;  // by name
};

class WorkFinder {
 public:
  WorkFinder(const Capture& capture, DeviceWork& work)
      : capture_(capture),
        tracks_(capture.profile.tracks),
        work_(work),
        is_trace_(capture.profile.is_trace),
        streams_(capture, work, is_trace_),
        calls_(capture),
        names_(capture.strings) {}

  void find(std::uint32_t root) {
    streams_.begin_rank(capture_.facts, root);
    const std::size_t first = work_.items.size();
    find_items(root);
    if (is_trace_) calls_.add_others(capture_, root, work_.calls);
    const auto items =
        std::ranges::subrange(work_.items.begin() + static_cast<std::ptrdiff_t>(first), work_.items.end());
    if (!std::ranges::is_sorted(items, {}, &WorkItem::order)) std::ranges::stable_sort(items, {}, &WorkItem::order);
  }

  void sort_streams() { streams_.sort(); }

 private:
  // Whether all that a track has is work, where the capture is no trace.
  bool has_only_work(std::uint32_t t) const {
    const TrackKind kind = tracks_[t].kind;
    return kind == TrackKind::kDevice || kind == TrackKind::kEngine || kind == TrackKind::kStream;
  }

  void find_items(std::uint32_t root) {
    std::vector<std::uint32_t> tracks;
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (tracks_[t].events.empty() || !is_below(tracks_, t, root)) continue;
      if (is_trace_) {
        find_items_by_role(t);
      } else if (has_only_work(t)) {
        tracks.push_back(t);
      }
    }
    find_all_items(tracks);
  }

  void find_items_by_role(std::uint32_t t) {
    const EventColumns& events = tracks_[t].events;
    const StringTable& strings = capture_.strings;
    ArgumentCursor collective(tracks_[t], "Collective name", strings), category(tracks_[t], "hlo_category", strings);
    calls_.begin_track(t);
    std::uint32_t stream = kNoId;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const EventRole work = events.role(i);
      if (!is_work(work)) continue;
      if (stream == kNoId) stream = streams_.of_thread(t);
      const bool is_kernel = work == EventRole::kKernel;
      work_.items.push_back({event_at(tracks_, t, i), stream, calls_.place_of(i, work_.calls), work,
                             is_kernel && (collective.at(i) || names_.find(events.name(i)).is_communication ||
                                           is_collective(category.at(i)))});
    }
  }

  // By the category that XLA gives its operation.
  bool is_collective(const FileValue& category) {
    const auto* const name = category ? std::get_if<StringId>(&*category) : nullptr;
    return name != nullptr && names_.find(*name).is_communication;
  }

  // Each track's spans are a part of the list, so that the parts can be filled at once.
  void find_all_items(const std::vector<std::uint32_t>& tracks) {
    std::vector<std::size_t> begins(tracks.size() + 1, work_.items.size());
    std::vector<std::uint32_t> streams(tracks.size());
    for (std::size_t k = 0; k < tracks.size(); ++k) {
      const std::size_t spans = read_names(tracks[k]);
      begins[k + 1] = begins[k] + spans;
      if (spans > 0) streams[k] = streams_.of_lane(tracks[k]);
    }
    work_.items.resize(begins.back());
    for_each_index(tracks.size(), core_count(),
                   [&](std::size_t k) { put_items(tracks[k], streams[k], work_.items.data() + begins[k]); });
  }

  // How many spans the track has; what their names tell is known then.
  std::size_t read_names(std::uint32_t t) {
    const EventColumns& events = tracks_[t].events;
    std::size_t spans = 0;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) != EventKind::kSpan) continue;
      ++spans;
      names_.find(events.name(i));
    }
    return spans;
  }

  // A copy is told by its lane's name or its own category.
  void put_items(std::uint32_t t, std::uint32_t stream, WorkItem* to) const {
    const EventColumns& events = tracks_[t].events;
    const bool copies = is_copy_engine(capture_.strings.get(tracks_[t].name));
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) != EventKind::kSpan) continue;
      const WorkNames::Tells& tells = names_.known(events.name(i));
      const bool is_kernel = !copies && !tells.is_copy;
      *to++ = {event_at(tracks_, t, i), stream, kNoId, is_kernel ? EventRole::kKernel : EventRole::kMemcpy,
               is_kernel && tells.is_communication};
    }
  }

  const Capture& capture_;
  const std::vector<Track>& tracks_;
  DeviceWork& work_;
  const bool is_trace_;
  DeviceStreams streams_;
  LaunchCalls calls_;
  WorkNames names_;
};

}  // namespace

std::vector<std::uint32_t> rank_roots(const Capture& capture) {
  std::vector<std::uint32_t> roots;
  const StringId offset = capture.strings.find(fact::kTimeOffset_ns);
  for (const Fact& fact : capture.facts) {
    if (fact.is_hidden && fact.name == offset && std::ranges::find(roots, fact.track) == roots.end())
      roots.push_back(fact.track);
  }
  if (roots.empty()) roots.push_back(kNoId);
  return roots;
}

DeviceWork find_device_work(const Capture& capture, std::uint32_t root) {
  DeviceWork work;
  WorkFinder finder(capture, work);
  finder.find(root);
  finder.sort_streams();
  work.steps = find_step_times(capture, work, std::span(&root, 1));
  return work;
}

DeviceWork find_work_of_ranks(const Capture& capture) {
  DeviceWork work;
  WorkFinder finder(capture, work);
  const std::vector<std::uint32_t> roots = rank_roots(capture);
  for (const std::uint32_t root : roots) finder.find(root);
  finder.sort_streams();
  work.steps = find_step_times(capture, work, roots);
  return work;
}

}  // namespace vizd
