#include "analysis/devices/items_by_track.h"

#include <algorithm>

#include "analysis/figures/argument_cursor.h"

namespace vizd {
namespace {

template <typename EventOf>
ItemsByTrack by_track(const DeviceWork& work, std::size_t first, std::size_t end, EventOf&& event_of) {
  ItemsByTrack tracks;
  ItemsByTrack::mapped_type* last = nullptr;
  std::uint32_t last_track = kNoId;
  for (std::size_t i = first; i < end; ++i) {
    const ProfileEvent* const event = event_of(work.items[i]);
    if (event == nullptr) continue;
    if (event->track != last_track) {
      last = &tracks[event->track];
      last_track = event->track;
    }
    last->emplace_back(event->event, static_cast<std::uint32_t>(i));
  }
  for (auto& [track, events] : tracks) {
    if (!std::ranges::is_sorted(events)) std::ranges::sort(events);
  }
  return tracks;
}

}  // namespace

std::vector<bool> tracks_with(const std::vector<Track>& tracks, std::initializer_list<std::string_view> arguments,
                              const StringTable& strings) {
  const auto has_any = [&](const Track& track) {
    return std::ranges::any_of(arguments,
                               [&](std::string_view name) { return !ArgumentCursor(track, name, strings).empty(); });
  };
  std::vector<bool> having;
  having.reserve(tracks.size());
  for (const Track& track : tracks) having.push_back(has_any(track));
  return having;
}

ItemsByTrack items_by_track(const DeviceWork& work, std::size_t first, std::size_t end,
                            const std::vector<bool>& wanted_tracks) {
  if (std::ranges::find(wanted_tracks, true) == wanted_tracks.end()) return {};
  return by_track(work, first, end, [&](const WorkItem& item) -> const ProfileEvent* {
    return wanted_tracks[item.track] ? &item : nullptr;
  });
}

ItemsByTrack calls_by_track(const DeviceWork& work, std::size_t first, std::size_t end) {
  return by_track(work, first, end, [&](const WorkItem& item) -> const ProfileEvent* {
    return item.call == kNoId ? nullptr : &work.calls[item.call];
  });
}

}  // namespace vizd
