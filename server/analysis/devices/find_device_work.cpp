// Finds the work of devices: a trace's by what its events say that they are, any other profile's by the lanes of its
// devices.
#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>
#include <vector>

#include "analysis/devices/device_streams.h"
#include "analysis/devices/device_work.h"
#include "analysis/devices/kernel_names.h"
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

// The calls of the host that launched a rank's work, by what correlates the two.
class LaunchCalls {
 public:
  // Adds those below the root to the list of calls.
  void find(const Capture& capture, std::uint32_t root, std::vector<ProfileEvent>& calls) {
    const std::vector<Track>& tracks = capture.profile.tracks;
    launches_.clear();
    for (std::uint32_t t = 0; t < tracks.size(); ++t) {
      if (tracks[t].events.empty() || !is_below(tracks, t, root)) continue;
      ArgumentCursor correlation(tracks[t], "correlation", capture.strings);
      if (correlation.empty()) continue;
      const EventColumns& events = tracks[t].events;
      for (std::uint32_t i = 0; i < events.size(); ++i) {
        if (events.role(i) != EventRole::kCall) continue;
        if (const auto known = correlation.key_at(i)) launches_.push_back({*known, event_at(tracks, t, i)});
      }
    }
    std::ranges::sort(launches_, {}, [](const Launch& l) { return std::tuple(l.correlation, l.call.order); });
    const auto rest = std::ranges::unique(launches_, {}, &Launch::correlation);
    launches_.erase(rest.begin(), rest.end());
    first_ = static_cast<std::uint32_t>(calls.size());
    for (const Launch& launch : launches_) calls.push_back(launch.call);
  }

  // The place in the list of the call that launched what has that correlation; kNoId: none.
  std::uint32_t place_of(const std::optional<ArgumentKey>& correlation) const {
    if (!correlation) return kNoId;
    const auto found = std::ranges::lower_bound(launches_, *correlation, {}, &Launch::correlation);
    if (found == launches_.end() || found->correlation != *correlation) return kNoId;
    return first_ + static_cast<std::uint32_t>(found - launches_.begin());
  }

 private:
  struct Launch {
    ArgumentKey correlation;
    ProfileEvent call;
  };
  std::vector<Launch> launches_;  // by correlation
  std::uint32_t first_ = 0;
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
        names_(capture.strings) {}

  void find(std::uint32_t root) {
    streams_.begin_rank(capture_.facts, root);
    const std::size_t first = work_.items.size();
    if (is_trace_) calls_.find(capture_, root, work_.calls);
    find_items(root);
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
    ArgumentCursor correlation(tracks_[t], "correlation", strings), collective(tracks_[t], "Collective name", strings);
    std::uint32_t stream = kNoId;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const EventRole work = events.role(i);
      if (!is_work(work)) continue;
      if (stream == kNoId) stream = streams_.of_thread(t);
      const bool is_kernel = work == EventRole::kKernel;
      work_.items.push_back({event_at(tracks_, t, i), stream, calls_.place_of(correlation.key_at(i)), work,
                             is_kernel && (collective.at(i) || names_.find(events.name(i)).is_communication)});
    }
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
  return work;
}

DeviceWork find_work_of_ranks(const Capture& capture) {
  DeviceWork work;
  WorkFinder finder(capture, work);
  for (const std::uint32_t root : rank_roots(capture)) finder.find(root);
  finder.sort_streams();
  return work;
}

}  // namespace vizd
