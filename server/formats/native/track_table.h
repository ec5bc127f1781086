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

class TrackTable {
 public:
  TrackTable(Capture& capture, Tables& tables);

  void add_tracks(const Columns& columns, std::uint64_t first);
  // Of older writers: a lane is a track under those of its rank, process and device.
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
  using Key = std::tuple<std::uint32_t, TrackKind, StringId>;  // parent, kind, name
  struct Known {
    std::vector<std::uint32_t> places;
    std::size_t taken = 0;  // the first so many are the section's
  };

  // Makes room for records from `first` on. False where they are out of order.
  bool begin(const Columns& columns, std::uint64_t first);
  std::uint32_t add(const Key& key);
  std::uint32_t find_or_add_group(const Key& key);
  // The section's next track.
  Track& take(const Key& key);

  Capture& capture_;
  Tables& tables_;
  std::map<Key, Known> known_;
  std::vector<std::uint32_t> places_;  // by number
  std::vector<std::size_t> first_events_, first_allocations_;
};

}  // namespace vizd::native
