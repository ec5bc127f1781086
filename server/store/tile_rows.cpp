#include "store/tile_rows.h"

#include <algorithm>

namespace vizd::store {
namespace {

struct Stretch {
  std::int64_t start_ns, end_ns;
};

bool is_device(TrackKind kind) {
  return kind == TrackKind::kDevice || kind == TrackKind::kEngine || kind == TrackKind::kStream;
}

struct Piece {
  std::uint64_t slices = 0;
  std::int64_t busy_ns = 0;
};

// Adds the pieces of one track, of which the stretches are all, in any order.
class PieceSums {
 public:
  PieceSums(std::int64_t origin_ns, unsigned bits) : origin_ns_(origin_ns), bits_(bits), pieces_(kMostPlaces + 1) {}

  void add_all(std::vector<Stretch>& stretches) {
    std::ranges::fill(pieces_, Piece());
    if (!std::ranges::is_sorted(stretches, {}, &Stretch::start_ns))
      std::ranges::sort(stretches, {}, &Stretch::start_ns);
    std::int64_t covered_ns = origin_ns_;
    for (const Stretch& stretch : stretches) {
      ++pieces_[place_of(stretch.start_ns)].slices;
      add_busy(std::max(stretch.start_ns, covered_ns), stretch.end_ns);
      covered_ns = std::max(covered_ns, stretch.end_ns);
    }
  }

  // Appends the pieces of level 0 and those of the levels above.
  void write(std::int64_t track, std::vector<TileRow>& rows) const {
    std::vector<Piece> level_pieces = pieces_;
    for (unsigned level = 0; level < kTileLevels; ++level) {
      const unsigned bits = bits_ + level * kTileFanoutBits;
      for (std::uint32_t place = 0; place < level_pieces.size(); ++place) {
        const Piece& piece = level_pieces[place];
        if (piece.slices == 0 && piece.busy_ns == 0) continue;
        rows.push_back({.track = track,
                        .level = level,
                        .place = place,
                        .ts = origin_ns_ + (std::int64_t{place} << bits),
                        .dur = std::int64_t{1} << bits,
                        .slices = piece.slices,
                        .busy_ns = piece.busy_ns});
      }
      std::vector<Piece> above((level_pieces.size() >> kTileFanoutBits) + 1);
      for (std::size_t place = 0; place < level_pieces.size(); ++place) {
        above[place >> kTileFanoutBits].slices += level_pieces[place].slices;
        above[place >> kTileFanoutBits].busy_ns += level_pieces[place].busy_ns;
      }
      level_pieces = std::move(above);
    }
  }

 private:
  std::size_t place_of(std::int64_t at_ns) const {
    return std::min<std::size_t>(static_cast<std::size_t>((at_ns - origin_ns_) >> bits_), kMostPlaces);
  }
  void add_busy(std::int64_t from_ns, std::int64_t to_ns) {
    while (from_ns < to_ns) {
      const std::size_t place = place_of(from_ns);
      const std::int64_t end_ns = origin_ns_ + (static_cast<std::int64_t>(place + 1) << bits_);
      const std::int64_t until_ns = place == kMostPlaces ? to_ns : std::min(to_ns, end_ns);
      pieces_[place].busy_ns += until_ns - from_ns;
      from_ns = until_ns;
    }
  }

  const std::int64_t origin_ns_;
  const unsigned bits_;
  std::vector<Piece> pieces_;
};

std::vector<Stretch> stretches_of(const EventColumns& events) {
  std::vector<Stretch> stretches;
  stretches.reserve(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) stretches.push_back({events.start_ns(i), events.end_ns(i)});
  return stretches;
}

}  // namespace

unsigned tile_bits(const Profile& profile) {
  const std::int64_t extent_ns = std::max<std::int64_t>(profile.end_ns - profile.start_ns, 1);
  unsigned bits = 0;
  while ((extent_ns - 1) >> bits >= std::int64_t{kMostPlaces}) ++bits;
  return bits;
}

std::vector<TileRow> tile_rows(const Capture& capture) {
  std::vector<TileRow> rows;
  const Profile& profile = capture.profile;
  PieceSums sums(profile.start_ns, tile_bits(profile));
  const bool has_devices = std::ranges::any_of(
      profile.tracks, [](const Track& track) { return is_device(track.kind) && !track.events.empty(); });
  std::vector<Stretch> of_devices;
  for (std::size_t t = 0; t < profile.tracks.size(); ++t) {
    const Track& track = profile.tracks[t];
    if (track.events.empty()) continue;
    std::vector<Stretch> stretches = stretches_of(track.events);
    if (is_device(track.kind) || !has_devices) of_devices.insert(of_devices.end(), stretches.begin(), stretches.end());
    sums.add_all(stretches);
    sums.write(static_cast<std::int64_t>(t), rows);
  }
  if (!of_devices.empty()) {
    sums.add_all(of_devices);
    sums.write(TileRow::kAllDevices, rows);
  }
  std::ranges::stable_sort(rows, {}, &TileRow::level);
  return rows;
}

}  // namespace vizd::store
