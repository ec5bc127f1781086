#include "analysis/device_work.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace vizd {
namespace {

enum class Role : std::uint8_t { kNone, kWork, kCall };

Role role_of(std::string_view category) {
  if (trace::work_of(category, "") != trace::Work::kNone) return Role::kWork;
  return trace::is_call(category) ? Role::kCall : Role::kNone;
}

// By event the correlation of those that have one.
std::vector<Correlation> correlations(const Track& track, StringId name, const StringTable& strings) {
  std::vector<Correlation> all;
  for (const ArgumentColumn& column : track.arguments) {
    if (column.name != name) continue;
    all.resize(track.events.size());
    for (std::size_t i = 0; i < column.size(); ++i) all[column.events[i]] = correlation_of(column, i, strings);
  }
  return all;
}

// Whether an event came as one whole record: others say how in an argument.
std::vector<bool> came_whole(const Track& track, StringId phase) {
  std::vector<bool> whole(track.events.size(), true);
  for (const ArgumentColumn& column : track.arguments) {
    if (column.name != phase) continue;
    for (const std::uint32_t event : column.events.span()) whole[event] = false;
  }
  return whole;
}

}  // namespace

DeviceWork find_device_work(const Capture& capture, std::uint32_t root) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  const StringTable& strings = capture.strings;
  const StringId correlation = strings.find("correlation"), phase = strings.find(trace::kPhase);
  DeviceWork work;
  std::unordered_map<StringId, Role> roles;  // by category
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    if (!is_below(tracks, t, root)) continue;
    const EventColumns& events = tracks[t].events;
    const std::vector<Correlation> known = correlations(tracks[t], correlation, strings);
    const std::vector<bool> whole = came_whole(tracks[t], phase);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) != EventKind::kSpan || !whole[i]) continue;
      const auto [role, is_new] = roles.try_emplace(events.category(i), Role::kNone);
      if (is_new) role->second = role_of(strings.get(events.category(i)));
      if (role->second == Role::kNone) continue;
      const TraceEvent event{.track = t,
                             .event = i,
                             .order = events[i].order,
                             .start_ns = events.start_ns(i),
                             .end_ns = events.end_ns(i),
                             .correlation = known.empty() ? Correlation() : known[i]};
      if (role->second == Role::kWork) {
        work.items.push_back({event, trace::work_of(strings.get(events.category(i)), strings.get(events.name(i)))});
      } else if (event.correlation.type != Correlation::Type::kNone) {
        work.calls.push_back(event);
      }
    }
  }
  std::ranges::stable_sort(work.items, {}, &WorkItem::order);
  std::ranges::sort(work.calls, {}, [](const TraceEvent& call) { return std::tuple(call.correlation, call.order); });
  const auto rest = std::ranges::unique(work.calls, {}, &TraceEvent::correlation);
  work.calls.erase(rest.begin(), rest.end());
  for (WorkItem& item : work.items) {
    if (item.correlation.type == Correlation::Type::kNone) continue;
    const auto call = std::ranges::lower_bound(work.calls, item.correlation, {}, &TraceEvent::correlation);
    if (call != work.calls.end() && call->correlation == item.correlation)
      item.call = static_cast<std::uint32_t>(call - work.calls.begin());
  }
  return work;
}

}  // namespace vizd
