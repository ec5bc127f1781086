#include "formats/native/track_table.h"

namespace vizd::native {
namespace {

constexpr std::uint64_t kMostLost = 1 << 12;
constexpr std::size_t kMostTracks = std::size_t{1} << 16;

}  // namespace

TrackTable::TrackTable(Capture& capture, Tables& tables) : capture_(capture), tables_(tables) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  for (std::uint32_t i = 0; i < tracks.size(); ++i)
    known_[{tracks[i].parent, tracks[i].kind, tracks[i].name}].places.push_back(i);
}

bool TrackTable::begin(const Columns& columns, std::uint64_t first) {
  if (first < places_.size() || first - places_.size() > kMostLost) {
    tables_.skip("tracks out of order", columns.count());
    return false;
  }
  while (places_.size() < first) {
    take({Track::kNoParent, TrackKind::kOther, capture_.strings.add(Tables::kLost)});
  }
  return true;
}

void TrackTable::add_tracks(const Columns& columns, std::uint64_t first) {
  using Column = capture::column::Tracks;
  if (!begin(columns, first)) return;
  const auto names = columns.read<std::uint32_t>(Column::kName), kinds = columns.read<std::uint32_t>(Column::kKind);
  const auto parents = columns.read<std::uint64_t>(Column::kParent);
  const auto sorts = columns.read<std::int32_t>(Column::kSort);
  const auto hertz = columns.read<double>(Column::kHertz);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (places_.size() >= kMostTracks) return tables_.skip("track beyond the number that vizd draws");
    if (parents[i] > places_.size()) tables_.skip("parent of a track that is missing");
    const bool has_parent = parents[i] != 0 && parents[i] <= places_.size();
    Track& track = take({has_parent ? places_[parents[i] - 1] : Track::kNoParent,
                         track_kind(capture_.strings.get(tables_.string(kinds[i]))), tables_.string(names[i])});
    track.sort = sorts[i];
    track.cycles_per_second = hertz[i];
  }
}

void TrackTable::add_lanes(const Columns& columns, std::uint64_t first) {
  using Column = capture::column::Lanes;
  if (!begin(columns, first)) return;
  const auto names = columns.read<std::uint32_t>(Column::kName), ranks = columns.read<std::uint32_t>(Column::kRank);
  const auto processes = columns.read<std::uint32_t>(Column::kProcess);
  const auto devices = columns.read<std::uint32_t>(Column::kDevice);
  const auto streams = columns.read<std::uint32_t>(Column::kStream);
  const auto hertz = columns.read<double>(Column::kHertz);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (places_.size() >= kMostTracks) return tables_.skip("track beyond the number that vizd draws");
    const StringId name = tables_.string(names[i]);
    std::uint32_t parent = Track::kNoParent;
    TrackKind kind = tables_.string(streams[i]) == StringId{} ? TrackKind::kOther : TrackKind::kStream;
    const std::pair<TrackKind, StringId> groups[] = {{TrackKind::kRank, tables_.string(ranks[i])},
                                                     {TrackKind::kProcess, tables_.string(processes[i])},
                                                     {TrackKind::kDevice, tables_.string(devices[i])}};
    for (const auto& [group_kind, group] : groups) {
      if (group == StringId{}) continue;
      // A lane named as its device is the device.
      if (group == name && kind == TrackKind::kOther) {
        kind = group_kind;
        break;
      }
      parent = find_or_add_group({parent, group_kind, group});
    }
    take({parent, kind, name}).cycles_per_second = hertz[i];
  }
}

std::uint32_t TrackTable::add(const Key& key) {
  std::vector<Track>& tracks = capture_.profile.tracks;
  Track& track = tracks.emplace_back();
  std::tie(track.parent, track.kind, track.name) = key;
  return static_cast<std::uint32_t>(tracks.size() - 1);
}

std::uint32_t TrackTable::find_or_add_group(const Key& key) {
  Known& known = known_[key];
  if (known.places.empty()) known.places.push_back(add(key));
  return known.places.front();
}

Track& TrackTable::take(const Key& key) {
  Known& known = known_[key];
  if (known.taken == known.places.size()) known.places.push_back(add(key));
  places_.push_back(known.places[known.taken++]);
  Track& track = capture_.profile.tracks[places_.back()];
  first_events_.push_back(track.events.size());
  first_allocations_.push_back(track.allocations.size());
  return track;
}

}  // namespace vizd::native
