// TrackTable: which of the capture's tracks the numbers of one section's records mean. A track that the capture has
// already, of the same kind and name under the same parent, is that track, unless the section itself has two of them.
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "formats/native/columns.h"
#include "formats/native/tables.h"
#include "model/capture.h"

namespace vizd::native {

// The capture's tracks by what they are; kept from one section to the next.
class KnownTracks {
 public:
  using Key = std::tuple<std::uint32_t, TrackKind, StringId>;  // parent, kind, name

  // A track nested deeper than this stands at the root: paths are made of all names on the way.
  static constexpr std::uint32_t kMostDepth = 64;

  // Takes up what the capture has meanwhile, and begins a section.
  void begin_section(const std::vector<Track>& tracks);
  // The section's next track of that key: one of another section's, or else a new one.
  std::uint32_t take(const Key& key, std::vector<Track>& tracks);
  // The first track of that key, taken or not.
  std::uint32_t find_or_add(const Key& key, std::vector<Track>& tracks);
  bool may_hold(std::uint32_t track) const { return depth_[track] < kMostDepth; }

 private:
  struct Known {
    std::vector<std::uint32_t> places;
    std::size_t taken = 0;  // the first so many are this section's
    std::uint32_t section = 0;
  };
  void index(const std::vector<Track>& tracks);

  std::map<Key, Known> known_;
  std::vector<std::uint32_t> depth_;  // by place
  std::uint32_t section_ = 0;
};

class TrackTable {
 public:
  TrackTable(Capture& capture, Tables& tables, KnownTracks& known);

  void add_tracks(const Columns& columns, std::uint64_t first);
  // For files of older writers: a lane is a track under those of its rank, process and device.
  void add_lanes(const Columns& columns, std::uint64_t first);

  std::size_t size() const { return places_.size(); }
  // Null where there is no track of that number.
  Track* track(std::uint64_t number) {
    return number < places_.size() ? &capture_.profile.tracks[places_[number]] : nullptr;
  }
  // In Profile::tracks. The track exists.
  std::uint32_t place(std::uint64_t number) const { return places_[number]; }
  // How many events and allocations of other sections the track had when this one began.
  std::size_t first_event(std::uint64_t number) const { return first_events_[number]; }
  std::size_t first_allocation(std::uint64_t number) const { return first_allocations_[number]; }

 private:
  using Key = KnownTracks::Key;

  // Makes room for records from `first` on. False where they are out of order.
  bool begin(const Columns& columns, std::uint64_t first);
  // The section's next track.
  Track& take(const Key& key);

  Capture& capture_;
  Tables& tables_;
  KnownTracks& known_;
  std::vector<std::uint32_t> places_;  // by number
  std::vector<std::size_t> first_events_, first_allocations_;
};

}  // namespace vizd::native
