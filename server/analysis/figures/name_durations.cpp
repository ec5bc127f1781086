#include "analysis/figures/name_durations.h"

#include <algorithm>

#include "analysis/figures/duration_edges.h"
#include "analysis/figures/overlap.h"
#include "base/parallel.h"

namespace vizd {
namespace {

FigureSum sum_lane(const EventColumns& events, const LaneIndex& index, StringId name, std::uint32_t lane, bool exact,
                   const Budget& budget) {
  FigureSum sum;
  std::vector<Interval> intervals;
  for_each_within(budget, static_cast<std::uint32_t>(events.size()), [&](std::uint32_t i) {
    if (events.name(i) != name) return;
    const std::int64_t dur_ns = events.length_ns(i);
    sum.add({{lane, i}, events.start_ns(i), dur_ns, dur_ns, self_ns(events, index, i)}, exact);
    if (index.row_count() > 1) intervals.push_back({events.start_ns(i), events.end_ns(i)});
  });
  sum.add_overlap(overlap_of(intervals));
  return sum;
}

}  // namespace

NameDurations name_durations(const Profile& profile, const Timeline& timeline, std::uint32_t name,
                             const std::vector<std::uint32_t>& lanes, std::size_t bins, unsigned threads,
                             std::uint64_t most_exact, const Budget& budget) {
  std::uint64_t events = 0;
  for (const std::uint32_t lane : lanes) events += profile.tracks[lane].events.size();
  NameDurations found;
  found.exact = events <= most_exact;
  std::vector<FigureSum> sums(lanes.size());
  for_each_index(lanes.size(), threads, [&](std::size_t i) {
    const std::uint32_t lane = lanes[i];
    const Budget mine = budget;
    sums[i] =
        sum_lane(profile.tracks[lane].events, timeline.lanes[lane], timeline.names[name], lane, found.exact, mine);
  });
  FigureSum whole;
  for (const FigureSum& sum : sums) whole.add(sum);
  found.count.resize(bins);
  if (whole.count() != 0) found.figures = whole.figures();

  const double least = static_cast<double>(std::max<std::int64_t>(found.figures.least_ns, 1));
  const DurationEdges edges(least, static_cast<double>(found.figures.max_ns), bins);
  found.edges_ns = edges.edges_ns();
  whole.durations().for_each([&](std::int64_t ns, std::uint64_t count) { found.count[edges.bin_of(ns)] += count; });
  return found;
}

}  // namespace vizd
