#include "model/track.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace vizd {
namespace {

constexpr std::array<std::string_view, kTrackKinds> kKindNames = {"",       "rank",   "host",   "process", "thread",
                                                                  "device", "engine", "stream", "memory",  "counter"};

void append_escaped(std::string& path, std::string_view name) {
  for (const char c : name) {
    if (c == '/' || c == '\\') path += '\\';
    path += c;
  }
}

}  // namespace

std::string_view track_kind_name(TrackKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

TrackKind track_kind(std::string_view name) {
  const auto found = std::ranges::find(kKindNames, name);
  return found == kKindNames.end() ? TrackKind::kOther : static_cast<TrackKind>(found - kKindNames.begin());
}

std::uint32_t find_or_add_track(std::vector<Track>& tracks, std::uint32_t parent, TrackKind kind, StringId name) {
  const auto found = std::ranges::find_if(
      tracks, [&](const Track& track) { return track.parent == parent && track.kind == kind && track.name == name; });
  if (found != tracks.end()) return static_cast<std::uint32_t>(found - tracks.begin());
  Track& track = tracks.emplace_back();
  track.name = name;
  track.kind = kind;
  track.parent = parent;
  return static_cast<std::uint32_t>(tracks.size() - 1);
}

std::vector<std::uint32_t> track_order(const std::vector<Track>& tracks) {
  std::vector<std::vector<std::uint32_t>> children(tracks.size() + 1);  // the last: of no parent
  for (std::uint32_t i = 0; i < tracks.size(); ++i)
    children[std::min<std::size_t>(tracks[i].parent, tracks.size())].push_back(i);
  for (std::vector<std::uint32_t>& siblings : children)
    std::ranges::stable_sort(siblings, {}, [&](std::uint32_t i) { return tracks[i].sort; });
  std::vector<std::uint32_t> order, waiting(children.back().rbegin(), children.back().rend());
  while (!waiting.empty()) {
    const std::uint32_t track = waiting.back();
    waiting.pop_back();
    order.push_back(track);
    waiting.insert(waiting.end(), children[track].rbegin(), children[track].rend());
  }
  return order;
}

std::vector<std::string> track_paths(const std::vector<Track>& tracks, const StringTable& strings) {
  std::vector<std::string> paths(tracks.size());
  std::map<std::pair<std::uint32_t, StringId>, unsigned> siblings;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const Track& track = tracks[i];
    if (track.parent < i) paths[i] = paths[track.parent] + '/';
    append_escaped(paths[i], strings.get(track.name));
    const unsigned number = ++siblings[{track.parent, track.name}];
    if (number > 1) paths[i] += fmt::format("#{}", number);
  }
  return paths;
}

}  // namespace vizd
