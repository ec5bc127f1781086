#include "analysis/devices/lane_classes.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "analysis/devices/kernel_names.h"
#include "analysis/figures/span_union.h"
#include "base/parallel.h"

namespace vizd {
namespace {

// The uses of a name, as bits.
constexpr std::uint8_t kIsKernel = 1, kIsMemory = 2;

// Whether all spans of a track are work, where the capture is no trace.
bool has_only_work(const Track& track) {
  return track.kind == TrackKind::kDevice || track.kind == TrackKind::kEngine || track.kind == TrackKind::kStream;
}

class ClassFinder {
 public:
  ClassFinder(const Capture& capture, const Timeline& timeline)
      : capture_(capture), timeline_(timeline), uses_(timeline.names.size()), told_(timeline.names.size()) {}

  LaneClasses find() {
    const std::vector<Track>& tracks = capture_.profile.tracks;
    result_.lanes.resize(tracks.size());
    read_names();
    for_each_index(tracks.size(), core_count(), [&](std::size_t t) {
      if (capture_.profile.is_trace || has_only_work(tracks[t])) read_track(t);
    });
    write_names();
    count_launches();
    return std::move(result_);
  }

 private:
  // Each name is asked once what it tells.
  void read_names() {
    for (std::size_t n = 0; n < told_.size(); ++n) {
      const std::string_view name = capture_.strings.get(timeline_.names[n]);
      told_[n] = is_communication_kernel(name) ? 'x' : is_copy(name) ? 'm' : 'c';
    }
  }

  void read_track(std::size_t t) {
    const Track& track = capture_.profile.tracks[t];
    const EventColumns& events = track.events;
    const bool is_trace = capture_.profile.is_trace;
    const bool copies = !is_trace && is_copy_engine(capture_.strings.get(track.name));
    LaneClasses::Lane& lane = result_.lanes[t];
    // Rows lie one after another, each in order of start.
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const EventRole role = events.role(i);
      if (is_trace ? !is_work(role) : events.kind(i) != EventKind::kSpan) continue;
      const std::uint32_t name = timeline_.number_of(events.name(i));
      const bool is_memory = is_trace ? role != EventRole::kKernel : copies || told_[name] == 'm';
      const std::uint8_t use = is_memory ? kIsMemory : kIsKernel;
      if ((uses_[name].load(std::memory_order_relaxed) & use) == 0) uses_[name].fetch_or(use);
      lane.has_work = true;
      if (is_trace) spans.emplace_back(events.start_ns(i), events.end_ns(i));
      (is_memory            ? lane.memory_ns
       : told_[name] == 'x' ? lane.communication_ns
                            : lane.compute_ns) += events.length_ns(i);
    }
    // Captures other than traces have nothing else in a lane with work.
    lane.busy_ns = is_trace ? length_of_union(spans) : timeline_.lanes[t].busy_ns;
  }

  static std::int64_t length_of_union(std::vector<std::pair<std::int64_t, std::int64_t>>& spans) {
    if (!std::ranges::is_sorted(spans)) std::ranges::sort(spans);
    SpanUnion all;
    for (const auto& [from_ns, to_ns] : spans) all.add(from_ns, to_ns);
    return all.length_ns();
  }

  void write_names() {
    std::string& classes = result_.of_names;
    classes.assign(std::min(uses_.size(), kMostClassedNames), '-');
    for (std::size_t n = 0; n < classes.size(); ++n) {
      const std::uint8_t use = uses_[n];
      if ((use & kIsKernel) != 0) {
        classes[n] = told_[n] == 'x' ? 'x' : 'c';
      } else if (use != 0) {
        classes[n] = 'm';
      }
    }
  }

  void count_launches() {
    for (const Flow& flow : capture_.profile.flows.span()) {
      const LaneClasses::Lane& to = result_.lanes[flow.to_track];
      LaneClasses::Lane& from = result_.lanes[flow.from_track];
      if (!to.has_work || from.has_work) continue;
      const bool is_trace = capture_.profile.is_trace;
      if (is_trace && !is_work(capture_.profile.tracks[flow.to_track].events.role(flow.to_event))) continue;
      ++from.launches;
    }
  }

  const Capture& capture_;
  const Timeline& timeline_;
  std::vector<std::atomic<std::uint8_t>> uses_;  // by name
  std::vector<char> told_;                       // likewise: the class that its text tells of a device's work
  LaneClasses result_;
};

}  // namespace

LaneClasses find_lane_classes(const Capture& capture, const Timeline& timeline) {
  return ClassFinder(capture, timeline).find();
}

}  // namespace vizd
