#include "analysis/devices/critical_path.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "analysis/devices/host_activity.h"
#include "analysis/figures/steps.h"

namespace vizd {
namespace {

constexpr std::int64_t kDelay_ns = 30'000;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

class PathFinder {
 public:
  // The items [first, end) are the rank's.
  PathFinder(const Capture& capture, const DeviceWork& work, std::uint32_t root, std::size_t first, std::size_t end)
      : tracks_(capture.profile.tracks), work_(work), root_(root), host_(capture, work, root, first, end, kDelay_ns) {
    for (std::size_t i = first; i < end; ++i) by_end_.push_back(static_cast<std::uint32_t>(i));
    find_earlier();
    std::ranges::stable_sort(by_end_, {}, [this](std::uint32_t i) { return item(i).end_ns; });
  }

  // From the end of the last of the chosen work (by DeviceWork::items), as far as it lies in the range, back to the
  // range's beginning.
  CriticalPath find(const std::vector<bool>& chosen, const TimeSpan& range) {
    begin_ns_ = range.from_ns;
    path_ = {.root = root_, .parts = {}, .from_ns = 0, .to_ns = 0};
    const auto last =
        std::ranges::find_if(by_end_.rbegin(), by_end_.rend(), [&](std::uint32_t i) { return chosen[i]; });
    if (last == by_end_.rend()) return path_;
    path_.to_ns = now_ns_ = std::min(item(*last).end_ns, range.to_ns);
    walk_back(*last);
    std::ranges::reverse(path_.parts);
    path_.from_ns = now_ns_;
    name_host_parts();
    return std::move(path_);
  }

 private:
  const WorkItem& item(std::uint32_t i) const { return work_.items[i]; }

  // For each item, the one that ended last among those of its stream that began before.
  void find_earlier() {
    std::vector<std::uint32_t> by_start = by_end_;
    std::ranges::stable_sort(by_start, {}, [this](std::uint32_t i) { return item(i).start_ns; });
    first_ = by_end_.empty() ? 0 : by_end_.front();
    earlier_.assign(by_end_.size(), kNoId);
    std::vector<std::uint32_t> ended_last(work_.streams.size(), kNoId);
    for (const std::uint32_t i : by_start) {
      std::uint32_t& last = ended_last[item(i).stream];
      earlier_[i - first_] = last;
      if (last == kNoId || item(i).end_ns >= item(last).end_ns) last = i;
    }
  }

  void walk_back(std::uint32_t at) {
    // Each piece of work is come to once: what is before it began no later. A bound for what no clock could have made.
    std::size_t left = 4 * by_end_.size() + 16;
    while (at != kNoId && now_ns_ > begin_ns_ && left-- > 0) at = before_work(at);
  }

  void add(PathKind kind, std::uint32_t track, std::uint32_t event, std::int64_t from_ns) {
    from_ns = std::max(from_ns, begin_ns_);
    if (from_ns >= now_ns_) return;
    path_.parts.push_back({kind, track, event, from_ns, now_ns_});
    now_ns_ = from_ns;
  }

  // The work before that one on the path; kNoId where the path begins.
  std::uint32_t before_work(std::uint32_t i) {
    const WorkItem& of = item(i);
    add(PathKind::kDevice, of.track, of.event, of.start_ns);
    const std::uint32_t earlier = earlier_[i - first_];
    const std::int64_t free_ns = earlier == kNoId ? kNever : std::min(item(earlier).end_ns, of.start_ns);
    const std::int64_t call_ns = of.call == kNoId ? kNever : std::min(work_.calls[of.call].start_ns, of.start_ns);
    const std::int64_t ready_ns = std::max(free_ns, call_ns);
    if (ready_ns == kNever || of.start_ns - ready_ns > kDelay_ns) {
      if (const std::uint32_t other = ended_before(of.start_ns, std::max(ready_ns, of.start_ns - kDelay_ns));
          other != kNoId) {
        add(PathKind::kBetween, of.track, of.event, item(other).end_ns);
        return other;
      }
    }
    if (ready_ns == kNever) return kNoId;
    if (free_ns > call_ns) {
      add(PathKind::kBetween, of.track, of.event, free_ns);
      return earlier;
    }
    const ProfileEvent& call = work_.calls[of.call];
    add(PathKind::kLaunch, call.track, call.event, call_ns);
    return before_host(call.track);
  }

  // The item that ended last by then, and after the other moment.
  std::uint32_t ended_before(std::int64_t by_ns, std::int64_t after_ns) const {
    const auto next = std::ranges::upper_bound(by_end_, by_ns, {}, [this](std::uint32_t i) { return item(i).end_ns; });
    for (auto at = next; at != by_end_.begin();) {
      const WorkItem& candidate = item(*--at);
      if (candidate.end_ns <= after_ns) return kNoId;
      // An item that begins and ends in that very moment would be found again.
      if (candidate.start_ns < by_ns) return *at;
    }
    return kNoId;
  }

  // The work that a thread waited for before now, whatever threads acted since; kNoId where none did.
  std::uint32_t before_host(std::uint32_t track) {
    while (now_ns_ > begin_ns_) {
      const HostActivity::Before before = host_.before(track, now_ns_);
      if (before.waited_for != kNoId) {
        add_host(track, std::min(item(before.waited_for).end_ns, now_ns_));
        return before.waited_for;
      }
      if (before.from_ns == now_ns_ && before.track == track) return kNoId;
      add_host(track, before.from_ns);
      track = before.track;
      if (track == kNoId) return kNoId;
    }
    return kNoId;
  }

  void add_host(std::uint32_t track, std::int64_t from_ns) { add(PathKind::kHost, track, kNoId, from_ns); }

  // Takes host parts apart by what the thread was in.
  void name_host_parts() {
    std::map<std::uint32_t, std::vector<PathPart>> of_tracks;
    std::vector<PathPart> parts;
    for (const PathPart& part : path_.parts)
      (part.kind == PathKind::kHost ? of_tracks[part.track] : parts).push_back(part);
    for (const auto& [track, wholes] : of_tracks) {
      std::vector<TimeSpan> spans;
      for (const PathPart& whole : wholes) spans.push_back({whole.from_ns, whole.to_ns});
      const EventColumns& events = tracks_[track].events;
      // An event that only marks a step does not tell what the host did.
      const auto tells = [&](std::uint32_t i) { return !events.is_step(i); };
      for_each_innermost(events, spans, tells, [&](std::uint32_t event, const TimeSpan& span) {
        parts.push_back({PathKind::kHost, track, event, span.from_ns, span.to_ns});
      });
    }
    std::ranges::stable_sort(parts, {}, &PathPart::from_ns);
    path_.parts = std::move(parts);
  }

  const std::vector<Track>& tracks_;
  const DeviceWork& work_;
  const std::uint32_t root_;
  HostActivity host_;
  std::uint32_t first_ = 0;
  std::vector<std::uint32_t> by_end_, earlier_;
  std::int64_t begin_ns_ = 0, now_ns_ = 0;
  CriticalPath path_;
};

}  // namespace

std::vector<CriticalPath> find_critical_paths(const Capture& capture, const DeviceWork& work, const WorkScope& scope) {
  std::vector<CriticalPath> paths;
  const std::vector<bool> chosen = items_in_scope(capture, work, scope);
  TimeSpan range{kNever, std::numeric_limits<std::int64_t>::max()};
  if (const auto of_scope = scope.range_in(capture.profile)) range = *of_scope;
  for (std::size_t first = 0, end = 0; first < work.items.size(); first = end) {
    const std::uint32_t root = work.device_of(work.items[first]).root;
    bool is_in_scope = false;
    for (; end < work.items.size() && work.device_of(work.items[end]).root == root; ++end) is_in_scope |= chosen[end];
    if (!is_in_scope) continue;
    TimeSpan of_rank = range;
    if (scope.step) {
      const Run* const run = Steps(capture.profile, capture.strings, root).of_number(*scope.step);
      if (run != nullptr) of_rank.from_ns = std::max(of_rank.from_ns, run->from_ns);
    }
    CriticalPath path = PathFinder(capture, work, root, first, end).find(chosen, of_rank);
    if (!path.parts.empty()) paths.push_back(std::move(path));
  }
  return paths;
}

std::vector<PathShare> path_shares(const Capture& capture, const CriticalPath& path) {
  std::map<std::pair<PathKind, StringId>, PathShare> shares;
  for (const PathPart& part : path.parts) {
    const bool is_told = part.event != kNoId && part.kind != PathKind::kBetween;
    const StringId name = is_told ? capture.profile.tracks[part.track].events.name(part.event) : StringId{kNoId};
    const auto [found, is_new] = shares.try_emplace({part.kind, name});
    PathShare& share = found->second;
    if (is_new) {
      share.kind = part.kind;
      if (is_told) share.name = capture.strings.get(name);
    }
    const std::int64_t dur_ns = part.to_ns - part.from_ns;
    if (is_new || dur_ns > share.longest.to_ns - share.longest.from_ns) share.longest = part;
    ++share.parts;
    share.total_ns += dur_ns;
  }
  std::vector<PathShare> sorted;
  for (auto& [key, share] : shares) sorted.push_back(std::move(share));
  std::ranges::stable_sort(sorted, std::greater(), &PathShare::total_ns);
  return sorted;
}

}  // namespace vizd
