// Figures: how often and how long the events of a set run. Whatever tells such a figure (the timeline's tables, a
// program's executions, the command line) takes it from here; docs/figures.md says what each of them means. One thread.
#pragma once

#include <cstdint>

#include "analysis/figures/durations.h"
#include "timeline/event_json.h"

namespace vizd {

// Figures of a set of events and a range of time. All but max_ns count only the part in the range: an event that
// reaches out of it counts with its part inside.
struct Figures {
  std::uint64_t count = 0;
  std::int64_t total_ns = 0;
  std::int64_t self_ns = 0;     // without what they hold
  std::int64_t covered_ns = 0;  // in which at least one of them runs, in each lane by itself
  std::int64_t mean_ns = 0;
  std::int64_t median_ns = 0;
  std::int64_t p90_ns = 0;
  std::int64_t least_ns = 0;
  std::int64_t max_ns = 0;  // of the longest event, whole
  EventPlace longest;       // the first of that length
  std::int64_t longest_start_ns = 0;
};

// An event as it counts.
struct CountedEvent {
  EventPlace place;
  std::int64_t start_ns = 0, dur_ns = 0;  // of the whole event
  std::int64_t inside_ns = 0;             // its part in the range
  std::int64_t self_ns = 0;               // of that part
};

// Adds events up.
class FigureSum {
 public:
  // exact: of medians and 90th percentiles; else within 1 %. The same for all that are added together.
  void add(const CountedEvent& event, bool exact);
  void add(const FigureSum& other);
  // Adds, for events that were added or will be, how long several ran at once in a lane (overlap.h).
  void add_overlap(std::int64_t overlap_ns) { overlap_ns_ += overlap_ns; }

  std::uint64_t count() const { return sums_.count; }
  std::int64_t total_ns() const { return sums_.total_ns; }
  const Durations& durations() const { return durations_; }
  // The figures of at least one event. Reorders the durations.
  Figures figures();

 private:
  bool is_longer(std::int64_t dur_ns, std::int64_t start_ns, const EventPlace& place) const;

  Figures sums_;
  std::int64_t overlap_ns_ = 0;
  Durations durations_;
};

// A part of a whole; 0 of nothing.
inline double share_of_time(std::int64_t part_ns, std::int64_t whole_ns) {
  return whole_ns > 0 ? static_cast<double>(part_ns) / static_cast<double>(whole_ns) : 0;
}

}  // namespace vizd
