#include "analysis/devices/host_activity.h"

#include <unordered_map>

#include "base/ascii_case.h"

namespace vizd {
namespace {

bool waits_for_device(std::string_view call) { return contains_in_any_case(call, "synchronize"); }

}  // namespace

HostActivity::HostActivity(const Capture& capture, const DeviceWork& work, std::uint32_t root, std::size_t first,
                           std::size_t end, std::int64_t rest_ns)
    : work_(work) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  const auto items = std::span(work.items).subspan(first, end - first);
  std::vector<std::pair<std::int64_t, std::uint32_t>> ends;
  std::unordered_map<std::uint64_t, std::uint32_t> copied_by;  // by call: the copy that ended within
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto place = static_cast<std::uint32_t>(first + i);
    ends.emplace_back(items[i].end_ns, place);
    if (items[i].call == kNoId || items[i].work == EventRole::kKernel) continue;
    const ProfileEvent& call = work.calls[items[i].call];
    if (items[i].end_ns <= call.end_ns) copied_by[std::uint64_t{call.track} << 32 | call.event] = place;
  }
  std::ranges::sort(ends);
  std::unordered_map<StringId, bool> waiting_names;
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    const EventColumns& events = tracks[t].events;
    if (events.empty() || !is_below(tracks, t, root)) continue;
    Thread thread{.process = tracks[t].parent, .active = {}, .waits = {}};
    std::vector<TimeSpan> acts;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      // A thread acts in operators and in calls, and may wait in calls.
      const EventRole role = events.role(i);
      if (role != EventRole::kCall && role != EventRole::kOperator) continue;
      acts.push_back({events.start_ns(i), events.end_ns(i)});
      if (role == EventRole::kOperator) continue;
      if (const auto copy = copied_by.find(std::uint64_t{t} << 32 | i); copy != copied_by.end()) {
        thread.waits.push_back({events.start_ns(i), events.end_ns(i), copy->second});
        continue;
      }
      const auto [waits, is_new] = waiting_names.try_emplace(events.name(i), false);
      if (is_new) waits->second = waits_for_device(capture.strings.get(events.name(i)));
      if (!waits->second) continue;
      const auto next = std::ranges::upper_bound(ends, events.end_ns(i), {}, &decltype(ends)::value_type::first);
      if (next == ends.begin() || (next - 1)->first <= events.start_ns(i)) continue;
      thread.waits.push_back({events.start_ns(i), events.end_ns(i), (next - 1)->second});
    }
    if (acts.empty()) continue;
    std::ranges::sort(acts, {}, &TimeSpan::from_ns);
    for (const TimeSpan& act : acts) {
      if (thread.active.empty() || act.from_ns - thread.active.back().to_ns >= rest_ns) {
        thread.active.push_back(act);
      } else {
        thread.active.back().to_ns = std::max(thread.active.back().to_ns, act.to_ns);
      }
    }
    std::ranges::sort(thread.waits, {}, &Wait::to_ns);
    threads_.emplace(t, std::move(thread));
  }
}

const HostActivity::Wait* HostActivity::last_wait(const Thread& thread, std::int64_t after_ns,
                                                  std::int64_t by_ns) const {
  const auto next = std::ranges::upper_bound(thread.waits, by_ns, {}, &Wait::to_ns);
  if (next == thread.waits.begin()) return nullptr;
  const Wait& wait = *(next - 1);
  return work_.items[wait.item].end_ns > after_ns ? &wait : nullptr;
}

HostActivity::Before HostActivity::before(std::uint32_t track, std::int64_t now_ns) const {
  // The last of a thread's active times that began before now.
  const auto last_active = [&](const Thread& thread) -> const TimeSpan* {
    const auto next = std::ranges::lower_bound(thread.active, now_ns, {}, &TimeSpan::from_ns);
    return next == thread.active.begin() ? nullptr : &*(next - 1);
  };
  const auto found = threads_.find(track);
  if (found == threads_.end()) return {.from_ns = now_ns};
  const TimeSpan* const own = last_active(found->second);
  const bool is_acting = own != nullptr && own->to_ns >= now_ns;
  if (is_acting) {
    if (const Wait* const wait = last_wait(found->second, own->from_ns, now_ns)) return {.waited_for = wait->item};
    return {.from_ns = own->from_ns, .track = track};
  }
  // It rests: whoever of its process acted last goes on.
  Before before{.from_ns = own == nullptr ? now_ns : own->to_ns, .track = own == nullptr ? kNoId : track};
  for (const auto& [t, thread] : threads_) {
    const TimeSpan* const other = t == track || thread.process != found->second.process ? nullptr : last_active(thread);
    if (other == nullptr) continue;
    const std::int64_t until_ns = std::min(other->to_ns, now_ns);
    if (before.track != kNoId && until_ns <= before.from_ns) continue;
    before.from_ns = until_ns;
    before.track = t;
  }
  return before;
}

}  // namespace vizd
