#include "query/slice_order.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace vizd::sql {
namespace {

const Track& track_of(const Catalog& catalog, const SliceTrack& at) {
  return catalog.capture(at.source).profile.tracks[at.track];
}

// The run's events that the filter's times hold. They are of one row, so that starts ascend.
SliceRun narrowed(const EventColumns& events, SliceRun run, const Interval& ts) {
  const auto starts = events.starts().subspan(run.begin, run.end - run.begin);
  const auto from = std::ranges::lower_bound(starts, ts.first);
  const auto to = std::upper_bound(from, starts.end(), ts.last);
  const auto at = [&](auto place) { return run.begin + static_cast<std::uint32_t>(place - starts.begin()); };
  return {run.track, at(from), at(to)};
}

// A track's events among the numbers of the interval.
SliceRun within(const SliceTrack& track, std::uint32_t place, std::size_t events, const Interval& id) {
  const auto first = static_cast<std::int64_t>(track.first_slice), size = static_cast<std::int64_t>(events);
  const auto clamped = [&](std::int64_t number) { return std::clamp(number, first, first + size) - first; };
  const std::int64_t last = std::min(id.last, std::numeric_limits<std::int64_t>::max() - 1);
  return {place, static_cast<std::uint32_t>(clamped(id.first)), static_cast<std::uint32_t>(clamped(last + 1))};
}

}  // namespace

std::vector<SliceRun> slice_runs(const Catalog& catalog, const SliceFilter& filter, bool rows_apart) {
  std::vector<SliceRun> runs;
  if (filter.is_empty()) return runs;
  const auto tracks = catalog.slice_tracks();
  const bool by_row = rows_apart || !filter.ts.is_all() || !filter.depth.is_all();
  std::uint32_t place = 0;
  if (filter.id.first > 0 && !tracks.empty()) {
    if (static_cast<std::uint64_t>(filter.id.first) >= catalog.slice_count()) return runs;
    place = static_cast<std::uint32_t>(catalog.slice_track_of(static_cast<std::uint64_t>(filter.id.first)));
  }
  for (; place < tracks.size(); ++place) {
    const SliceTrack& at = tracks[place];
    if (static_cast<std::int64_t>(at.first_slice) > filter.id.last) break;
    if (!filter.track.has(static_cast<std::int64_t>(catalog.tracks().first(at.source) + at.track))) continue;
    const EventColumns& events = track_of(catalog, at).events;
    const SliceRun whole = within(at, place, events.size(), filter.id);
    if (!by_row) {
      if (whole.begin < whole.end) runs.push_back(whole);
      continue;
    }
    const LaneIndex& lane = catalog.timeline(at.source).lanes[at.track];
    for (std::uint32_t row = 0; row < lane.row_count(); ++row) {
      if (!filter.depth.has(row)) continue;
      const std::uint32_t begin = std::max(whole.begin, lane.row_begin[row]),
                          end = std::min(whole.end, lane.row_begin[row + 1]);
      if (begin >= end) continue;
      const SliceRun run = narrowed(events, {place, begin, end}, filter.ts);
      if (run.begin < run.end) runs.push_back(run);
    }
  }
  return runs;
}

TimeMerge::TimeMerge(const Catalog& catalog, std::vector<SliceRun> runs, bool is_descending, bool grouped)
    : catalog_(catalog), runs_(std::move(runs)), is_descending_(is_descending), grouped_(grouped) {
  begin_group();
}

void TimeMerge::begin_group() {
  const std::uint32_t first = next_run_;
  while (next_run_ < runs_.size() && (!grouped_ || runs_[next_run_].track == runs_[first].track)) push(next_run_++);
}

SliceRun TimeMerge::current() const {
  SliceRun run = runs_[heap_.top().run];
  if (is_descending_) run.begin = run.end - 1;
  return run;
}

void TimeMerge::next() {
  const std::uint32_t run = heap_.top().run;
  heap_.pop();
  is_descending_ ? --runs_[run].end : ++runs_[run].begin;
  push(run);
  if (heap_.empty()) begin_group();
}

void TimeMerge::push(std::uint32_t number) {
  const SliceRun& run = runs_[number];
  if (run.begin >= run.end) return;
  const EventColumns& events = track_of(catalog_, catalog_.slice_tracks()[run.track]).events;
  const std::int64_t key = is_descending_ ? -events.start_ns(run.end - 1) : events.start_ns(run.begin);
  heap_.push({key, number});
}

Result<NameOrder> slices_by_name(const Catalog& catalog, const AllSliceNames& names, std::span<const SliceRun> runs,
                                 const EventFilter& filter, bool each_once, const Budget& budget) {
  // Calls visit(source, name, number of the slice) for every slice that passes.
  const auto for_each = [&](auto&& visit) {
    for (const SliceRun& run : runs) {
      const SliceTrack& at = catalog.slice_tracks()[run.track];
      const EventColumns& events = track_of(catalog, at).events;
      for (std::uint32_t begin = run.begin; begin < run.end && !budget.is_over();) {
        const std::uint32_t end = begin + std::min(std::uint32_t{1} << 16, run.end - begin);
        for (; begin < end; ++begin) {
          if (filter.passes_all() || filter.passes(at.source, events, begin))
            visit(at.source, index(events.name(begin)), static_cast<std::uint32_t>(at.first_slice + begin));
        }
      }
    }
  };
  // By capture and name how many slices; then where the next of them goes.
  std::vector<std::vector<std::uint32_t>> by_name;
  for (const Source& source : catalog.sources()) by_name.emplace_back(source.capture->strings.size());
  for_each([&](std::size_t source, std::size_t name, std::uint32_t) { ++by_name[source][name]; });

  struct UsedName {
    std::string_view text;
    std::size_t source, name;
  };
  std::vector<UsedName> used;
  for (std::size_t source = 0; source < by_name.size(); ++source) {
    for (std::size_t name = 0; name < by_name[source].size(); ++name) {
      if (by_name[source][name] > 0) used.push_back({names[source]->text(to_id<StringId>(name)), source, name});
    }
  }
  std::ranges::stable_sort(used, {}, &UsedName::text);
  NameOrder order;
  std::uint32_t next = 0;
  for (const UsedName& name : used) {
    std::uint32_t& at = by_name[name.source][name.name];
    const bool is_again = !order.groups.empty() && order.groups.back().name == name.text;
    const std::uint32_t count = each_once ? 1 : at;
    at = is_again && each_once ? kNoId : next;
    if (at != kNoId) next += count;
    if (!is_again) order.groups.push_back({name.text, next});
    order.groups.back().end = next;
  }
  order.slices.resize(next);
  for_each([&](std::size_t source, std::size_t name, std::uint32_t slice) {
    std::uint32_t& at = by_name[source][name];
    if (at == kNoId) return;
    order.slices[at] = slice;
    each_once ? at = kNoId : ++at;
  });
  if (budget.is_over()) return budget.error();
  return order;
}

}  // namespace vizd::sql
