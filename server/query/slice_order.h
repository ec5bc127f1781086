// SliceFilter: the slices that a query's constraints leave; SliceRun: the order in which they are walked. One thread.
#pragma once

#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "base/huge_pages.h"
#include "query/catalog.h"
#include "query/slice_names.h"
#include "query/table.h"

namespace vizd::sql {

// Ways to walk. Numbers of Plan::order.
enum class SliceWalk { kById, kByTime, kByTimeDown, kByTrackAndTime, kByName, kEachNameOnce };

// The constraints on the columns that narrow a walk.
struct SliceFilter {
  Interval id, track, ts, dur, depth;
  std::optional<std::string> name, category;

  bool is_empty() const {
    return id.is_empty() || track.is_empty() || ts.is_empty() || dur.is_empty() || depth.is_empty();
  }
};

// Events [begin, end) of a track; where they are of one row of the lane, sorted by start.
struct SliceRun {
  std::uint32_t track = 0;  // place in Catalog::slice_tracks()
  std::uint32_t begin = 0, end = 0;
};

// Whether the filter lets an event pass: what the choice of the runs leaves to be asked of each.
class EventFilter {
 public:
  // names, categories: by capture those that pass, where the filter names one.
  EventFilter(const SliceFilter& filter, std::vector<std::vector<StringId>> names,
              std::vector<std::vector<StringId>> categories)
      : dur_(filter.dur),
        names_(std::move(names)),
        categories_(std::move(categories)),
        passes_all_(filter.dur.is_all() && !filter.name && !filter.category) {}

  bool passes_all() const { return passes_all_; }
  bool passes(std::size_t source, const EventColumns& events, std::uint32_t event) const {
    if (!names_.empty() && !has(names_[source], events.name(event))) return false;
    if (!categories_.empty() && !has(categories_[source], events.category(event))) return false;
    return dur_.is_all() || dur_.has(events.dur_ns(event));
  }

 private:
  static bool has(const std::vector<StringId>& of, StringId string) {
    return std::ranges::find(of, string) != of.end();
  }

  Interval dur_;
  std::vector<std::vector<StringId>> names_, categories_;
  bool passes_all_;
};

// By id. rows_apart: each run is of one row of its lane.
std::vector<SliceRun> slice_runs(const Catalog& catalog, const SliceFilter& filter, bool rows_apart);

// Runs of rows laid together by time. Costs a few steps a slice, as many as there are runs in a logarithm: of all
// tracks, or, grouped, of the track at hand.
class TimeMerge {
 public:
  // grouped: all of a track before the next one's.
  TimeMerge(const Catalog& catalog, std::vector<SliceRun> runs, bool is_descending, bool grouped);

  bool at_end() const { return heap_.empty(); }
  // The run's track, and the event.
  SliceRun current() const;
  void next();

 private:
  struct Head {
    std::int64_t key;  // the time, or minus it
    std::uint32_t run;
    bool operator>(const Head& other) const { return std::tie(key, run) > std::tie(other.key, other.run); }
  };
  void push(std::uint32_t run);
  // Takes the runs of the next track, or of all.
  void begin_group();

  const Catalog& catalog_;
  std::vector<SliceRun> runs_;  // what is left of each
  bool is_descending_, grouped_;
  std::uint32_t next_run_ = 0;  // that is not in the heap yet
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heap_;
};

// Slices, those of one shown name together, in the order of names. 4 bytes a slice.
struct NameOrder {
  struct Group {
    std::string_view name;
    std::size_t end;  // in slices
  };
  LargeVector<std::uint32_t> slices;  // by number
  std::vector<Group> groups;
};

// Names by capture.
using AllSliceNames = std::vector<std::unique_ptr<SliceNames>>;

// Returns the slices of the runs that pass; each_once: only the first of each name. Errors: the budget is over.
Result<NameOrder> slices_by_name(const Catalog& catalog, const AllSliceNames& names, std::span<const SliceRun> runs,
                                 const EventFilter& filter, bool each_once, const Budget& budget);

}  // namespace vizd::sql
