// Catalog: the captures of a query behind one numbering: each table counts its rows through all captures, so that an id
// is enough to find a row. Made for one query, on its thread; refers to the captures.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "query/source.h"

namespace vizd::sql {

// Where a counted thing is: which capture's, and its place there.
struct Place {
  std::size_t source = 0;
  std::uint64_t at = 0;
};

// Counts of something by capture, as the first number of each.
class Numbering {
 public:
  void add(std::uint64_t count) { first_.push_back(first_.back() + count); }
  std::uint64_t size() const { return first_.back(); }
  std::uint64_t first(std::size_t source) const { return first_[source]; }
  // number < size()
  Place place(std::uint64_t number) const;

 private:
  std::vector<std::uint64_t> first_{0};
};

// A track that has events, and the number of its first.
struct SliceTrack {
  std::uint32_t source = 0, track = 0;  // its place in Profile::tracks
  std::uint64_t first_slice = 0;
};

// A counter counts as a track, after the tracks of its capture.
struct CounterTrack {
  std::uint32_t track = 0, counter = 0;  // places
  std::uint64_t first_value = 0;         // among those of its capture
};

class Catalog {
 public:
  Catalog(std::vector<Source> sources, Budget budget);

  const std::vector<Source>& sources() const { return sources_; }
  const Capture& capture(std::size_t source) const { return *sources_[source].capture; }
  const Timeline& timeline(std::size_t source) const { return *sources_[source].timeline; }
  const Budget& budget() const { return budget_; }

  const Numbering& tracks() const { return tracks_; }  // with counters
  const Numbering& contexts() const { return contexts_; }
  const Numbering& passes() const { return passes_; }
  const Numbering& matches() const { return matches_; }
  const Numbering& programs() const { return programs_; }

  std::span<const SliceTrack> slice_tracks() const { return slice_tracks_; }
  std::uint64_t slice_count() const { return slice_count_; }
  // The place in slice_tracks() of the one that has the slice.
  std::size_t slice_track_of(std::uint64_t slice) const;
  // The number of an event of a track.
  std::uint64_t slice_number(std::size_t source, std::uint32_t track, std::uint32_t event) const;
  std::span<const CounterTrack> counters(std::size_t source) const { return counters_[source]; }

  // By context place, by match place: what it belongs to. Passes lie context by context, matches pass by pass.
  std::uint32_t context_of_pass(std::size_t source, std::uint32_t pass) const;
  std::uint32_t pass_of_match(std::size_t source, std::uint32_t match) const;

  // The locations that are rules, and by location the place there; made at the first call.
  struct Rules {
    std::vector<LocationId> locations;
    std::vector<std::uint32_t> number;   // by location; kNoId: is no rule
    std::vector<std::uint32_t> matches;  // by place in locations
  };
  const Rules& rules(std::size_t source);
  // The effects of the rules. The first call replays the capture.
  Result<std::shared_ptr<const RuleTable>> rule_table(std::size_t source);
  // The work of its devices; made at the first call.
  Result<std::shared_ptr<const DeviceAnalysis>> devices(std::size_t source);
  // The same, with the names that captures of graphs give it.
  Result<std::shared_ptr<const DeviceAnalysis>> named_devices(std::size_t source);
  // The replays of graphs in it; made at the first call.
  Result<std::shared_ptr<const NamedReplays>> replays(std::size_t source);
  // The paths of a capture's tracks; made at the first call.
  const std::vector<std::string>& track_paths(std::size_t source);

 private:
  std::vector<Source> sources_;
  Budget budget_;
  Numbering tracks_, contexts_, passes_, matches_, programs_;
  std::vector<SliceTrack> slice_tracks_;
  std::uint64_t slice_count_ = 0;
  std::vector<std::vector<std::uint64_t>> first_slice_;  // by capture and track
  std::vector<std::vector<CounterTrack>> counters_;
  std::vector<std::unique_ptr<Rules>> rules_;
  std::vector<std::shared_ptr<const RuleTable>> rule_tables_;
  std::vector<std::shared_ptr<const DeviceAnalysis>> devices_, named_devices_;
  std::vector<std::shared_ptr<const NamedReplays>> replays_;
  std::vector<std::unique_ptr<std::vector<std::string>>> paths_;
};

}  // namespace vizd::sql
