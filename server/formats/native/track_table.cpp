#include "formats/native/track_table.h"

#include "formats/native/facts_reader.h"

namespace vizd::native {
namespace {

constexpr std::uint64_t kMostLostTracks = 1 << 12;
constexpr std::size_t kMostTracks = std::size_t{1} << 16;

}  // namespace

void KnownTracks::index(const std::vector<Track>& tracks) {
  for (auto i = static_cast<std::uint32_t>(depth_.size()); i < tracks.size(); ++i) {
    const Track& track = tracks[i];
    known_[{track.parent, track.kind, track.name}].places.push_back(i);
    depth_.push_back(track.parent == Track::kNoParent ? 0 : depth_[track.parent] + 1);
  }
}

void KnownTracks::begin_section(const std::vector<Track>& tracks) {
  index(tracks);
  ++section_;
}

std::uint32_t KnownTracks::take(const Key& key, std::vector<Track>& tracks) {
  Known& known = known_[key];
  if (known.section != section_) known.taken = 0;
  known.section = section_;
  if (known.taken == known.places.size()) {
    Track& track = tracks.emplace_back();
    std::tie(track.parent, track.kind, track.name) = key;
    index(tracks);
  }
  return known.places[known.taken++];
}

std::uint32_t KnownTracks::find_or_add(const Key& key, std::vector<Track>& tracks) {
  const auto found = known_.find(key);
  if (found != known_.end() && !found->second.places.empty()) return found->second.places.front();
  Track& track = tracks.emplace_back();
  std::tie(track.parent, track.kind, track.name) = key;
  index(tracks);
  return static_cast<std::uint32_t>(tracks.size() - 1);
}

TrackTable::TrackTable(Capture& capture, Tables& tables, KnownTracks& known)
    : capture_(capture), tables_(tables), known_(known) {
  known_.begin_section(capture.profile.tracks);
}

bool TrackTable::begin(const Columns& columns, std::uint64_t first) {
  if (first < places_.size() || first - places_.size() > kMostLostTracks) {
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
  const auto number_types = columns.read<std::uint32_t>(Column::kNumberType);
  const auto numbers = columns.read<std::int64_t>(Column::kNumber);
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (places_.size() >= kMostTracks) return tables_.skip("track beyond the number that vizd draws");
    if (parents[i] > places_.size()) tables_.skip("parent of a track that is missing");
    bool has_parent = parents[i] != 0 && parents[i] <= places_.size();
    if (has_parent && !known_.may_hold(places_[parents[i] - 1])) {
      tables_.skip("parent of a track that is nested deeper than 64");
      has_parent = false;
    }
    Track& track = take({has_parent ? places_[parents[i] - 1] : Track::kNoParent,
                         track_kind(capture_.strings.get(tables_.string(kinds[i]))), tables_.string(names[i])});
    track.sort = sorts[i];
    track.cycles_per_second = hertz[i];
    if (number_types[i] != 0) track.number = argument_value(tables_, number_types[i], numbers[i], 0);
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
      parent = known_.find_or_add({parent, group_kind, group}, capture_.profile.tracks);
    }
    take({parent, kind, name}).cycles_per_second = hertz[i];
  }
}

Track& TrackTable::take(const Key& key) {
  places_.push_back(known_.take(key, capture_.profile.tracks));
  Track& track = capture_.profile.tracks[places_.back()];
  first_events_.push_back(track.events.size());
  first_allocations_.push_back(track.allocations.size());
  return track;
}

}  // namespace vizd::native
