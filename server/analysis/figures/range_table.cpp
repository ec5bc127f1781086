#include "analysis/figures/range_table.h"

#include <algorithm>
#include <atomic>
#include <span>

#include "analysis/figures/overlap.h"
#include "base/parallel.h"

namespace vizd {
namespace {

// Sums by name. Holds only names that were met, so that one costs what is added to it, whatever the profile's names.
class NameSums {
 public:
  explicit NameSums(std::size_t names) : slots_(names, kNoId) {}

  FigureSum& of(std::uint32_t name) {
    std::uint32_t& slot = slots_[name];
    if (slot == kNoId) {
      slot = static_cast<std::uint32_t>(sums_.size());
      sums_.emplace_back(name, FigureSum{});
    }
    return sums_[slot].second;
  }
  void add(const NameSums& other) {
    for (const auto& [name, sum] : other.sums_) of(name).add(sum);
  }
  // Hands over what there is, and starts anew.
  void take(std::uint32_t lane, std::vector<NameFigures>& into) {
    for (auto& [name, sum] : sums_) {
      slots_[name] = kNoId;
      into.push_back({name, lane, sum.figures()});
    }
    sums_.clear();
  }

 private:
  std::vector<std::uint32_t> slots_;  // by name: its place in sums_
  std::vector<std::pair<std::uint32_t, FigureSum>> sums_;
};

class RangeSum {
 public:
  RangeSum(const Profile& profile, const Timeline& timeline, std::int64_t from_ns, std::int64_t to_ns)
      : profile_(profile), timeline_(timeline), from_ns_(from_ns), to_ns_(to_ns) {}

  std::uint64_t events_in(const LaneRow& where) const {
    const auto [first, last] = range_of(where);
    return last - first;
  }

  void add_row(const LaneRow& where, bool exact, NameSums& sums, const Budget& budget) const {
    const EventColumns& events = profile_.tracks[where.lane].events;
    const LaneIndex& lane = timeline_.lanes[where.lane];
    const auto [first, last] = range_of(where);
    if (first == last) return;
    const Row below = where.row + 1 < lane.row_count() ? lane.row(where.row + 1) : Row{};
    std::uint32_t child = events.start_ns(first) < from_ns_ ? first_ending_after(events, below, from_ns_)
                                                            : first_starting_at(events, below, events.start_ns(first));
    for (std::uint32_t i = first; i < last && budget.goes_on(); ++i) {
      const std::int64_t start_ns = events.start_ns(i), dur_ns = events.length_ns(i), end_ns = start_ns + dur_ns;
      std::int64_t held_ns = 0;
      while (child < below.end && events.start_ns(child) < start_ns) ++child;
      for (; child < below.end && events.start_ns(child) < std::min(end_ns, to_ns_); ++child) {
        if (events.end_ns(child) <= end_ns) held_ns += inside_ns(events.start_ns(child), events.end_ns(child));
      }
      const std::int64_t part_ns = inside_ns(start_ns, end_ns);
      const CountedEvent event{{where.lane, i}, start_ns, dur_ns, part_ns, part_ns - held_ns};
      sums.of(timeline_.number_of(events.name(i))).add(event, exact);
    }
  }

  // After all rows of a lane were added, or before.
  void add_overlaps(std::span<const LaneRow> rows, NameOverlaps& overlaps, NameSums& sums, const Budget& budget) const {
    overlaps.of_lane(profile_.tracks[rows.front().lane].events, rows, from_ns_, to_ns_, budget,
                     [&](std::uint32_t name, std::int64_t overlap_ns) { sums.of(name).add_overlap(overlap_ns); });
  }

 private:
  std::int64_t inside_ns(std::int64_t start_ns, std::int64_t end_ns) const {
    return std::max<std::int64_t>(std::min(end_ns, to_ns_) - std::max(start_ns, from_ns_), 0);
  }
  std::pair<std::uint32_t, std::uint32_t> range_of(const LaneRow& where) const {
    const EventColumns& events = profile_.tracks[where.lane].events;
    const Row row = timeline_.lanes[where.lane].row(where.row);
    const std::uint32_t first = first_ending_after(events, row, from_ns_),
                        last = first_starting_at(events, row, to_ns_);
    return {first, std::max(first, last)};
  }

  const Profile& profile_;
  const Timeline& timeline_;
  const std::int64_t from_ns_, to_ns_;
};

std::vector<std::span<const LaneRow>> split_by_lane(const std::vector<LaneRow>& rows) {
  std::vector<std::span<const LaneRow>> lanes;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end].lane == rows[begin].lane) ++end;
    lanes.push_back(std::span(rows).subspan(begin, end - begin));
  }
  return lanes;
}

}  // namespace

RangeTable range_table(const Profile& profile, const Timeline& timeline, const std::vector<LaneRow>& rows,
                       std::int64_t from_ns, std::int64_t to_ns, TableLines lines, unsigned threads,
                       std::uint64_t most_exact, const Budget& budget) {
  RangeTable table;
  const RangeSum sum(profile, timeline, from_ns, to_ns);
  for (const LaneRow& where : rows) table.events += sum.events_in(where);
  table.exact = table.events <= most_exact;
  constexpr std::uint64_t kEventsWorthThreads = 100'000;
  const std::size_t part_count = table.events < kEventsWorthThreads ? 1 : threads;
  std::vector<NameSums> parts(part_count, NameSums(timeline.names.size()));
  std::vector<NameOverlaps> overlaps(part_count, NameOverlaps(timeline));
  const std::vector<std::span<const LaneRow>> lanes = split_by_lane(rows);
  std::atomic<std::size_t> next = 0, next_lane = 0;
  const auto on_each_part = [&](auto work) { for_each_index(part_count, static_cast<unsigned>(part_count), work); };
  if (lines == TableLines::kNames) {
    on_each_part([&](std::size_t part) {
      const Budget mine = budget;
      for (std::size_t i; (i = next++) < rows.size();) sum.add_row(rows[i], table.exact, parts[part], mine);
      for (std::size_t i; (i = next_lane++) < lanes.size();)
        sum.add_overlaps(lanes[i], overlaps[part], parts[part], mine);
    });
    for (std::size_t i = 1; i < part_count; ++i) parts.front().add(parts[i]);
    parts.front().take(kNoId, table.names);
  } else {
    std::vector<std::vector<NameFigures>> found(lanes.size());
    on_each_part([&](std::size_t part) {
      const Budget mine = budget;
      for (std::size_t i; (i = next++) < lanes.size();) {
        for (const LaneRow& row : lanes[i]) sum.add_row(row, table.exact, parts[part], mine);
        sum.add_overlaps(lanes[i], overlaps[part], parts[part], mine);
        parts[part].take(lanes[i].front().lane, found[i]);
      }
    });
    for (const auto& of_lane : found) table.names.insert(table.names.end(), of_lane.begin(), of_lane.end());
  }
  std::ranges::sort(table.names, [](const NameFigures& a, const NameFigures& b) {
    return std::tuple(-a.figures.total_ns, a.name, a.lane) < std::tuple(-b.figures.total_ns, b.name, b.lane);
  });
  return table;
}

}  // namespace vizd
