#include "analysis/range_table.h"

#include <algorithm>
#include <atomic>
#include <tuple>

#include "analysis/durations.h"
#include "base/parallel.h"

namespace vizd {
namespace {

struct Part {
  std::vector<NameStatistics> names;  // by number
  std::vector<Durations> durations;
};

bool is_worse(const NameStatistics& a, const NameStatistics& b) {
  return std::tuple(-a.max_ns, a.worst_start_ns, a.worst.lane, a.worst.event) <
         std::tuple(-b.max_ns, b.worst_start_ns, b.worst.lane, b.worst.event);
}

class RangeSum {
 public:
  RangeSum(const Profile& profile, const Timeline& timeline, std::int64_t from_ns, std::int64_t to_ns)
      : profile_(profile), timeline_(timeline), from_ns_(from_ns), to_ns_(to_ns) {}

  std::uint64_t events_in(const LaneRow& where) const {
    const auto [first, last] = range_of(where);
    return last - first;
  }

  void add_row(const LaneRow& where, bool exact, Part& part) const {
    const EventColumns& events = profile_.tracks[where.lane].events;
    const LaneIndex& lane = timeline_.lanes[where.lane];
    const auto [first, last] = range_of(where);
    const Row below = where.row + 1 < lane.row_count() ? lane.row(where.row + 1) : Row{};
    std::uint32_t child = first == last ? below.end : first_starting_at(events, below, events.start_ns(first));
    for (std::uint32_t i = first; i < last; ++i) {
      const std::int64_t start_ns = events.start_ns(i), length_ns = events.length_ns(i), end_ns = start_ns + length_ns;
      std::int64_t held_ns = 0;
      while (child < below.end && events.start_ns(child) < start_ns) ++child;
      for (; child < below.end && events.start_ns(child) < end_ns; ++child) {
        if (events.end_ns(child) <= end_ns) held_ns += events.length_ns(child);
      }
      const std::uint32_t name = timeline_.number_of(events.name(i));
      NameStatistics& sum = part.names[name];
      ++sum.count;
      sum.sum_ns += length_ns;
      sum.inside_ns += std::min(end_ns, to_ns_) - std::max(start_ns, from_ns_);
      sum.self_ns += length_ns - held_ns;
      part.durations[name].add(length_ns, exact);
      NameStatistics candidate;
      candidate.max_ns = length_ns;
      candidate.worst_start_ns = start_ns;
      candidate.worst = {where.lane, i};
      if (sum.count == 1 || is_worse(candidate, sum)) set_worst(sum, candidate);
    }
  }

  static void set_worst(NameStatistics& sum, const NameStatistics& worst) {
    sum.max_ns = worst.max_ns;
    sum.worst = worst.worst;
    sum.worst_start_ns = worst.worst_start_ns;
  }

 private:
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

void add_part(Part& whole, const Part& part) {
  for (std::size_t i = 0; i < whole.names.size(); ++i) {
    NameStatistics& sum = whole.names[i];
    const NameStatistics& other = part.names[i];
    if (other.count == 0) continue;
    if (sum.count == 0 || is_worse(other, sum)) RangeSum::set_worst(sum, other);
    sum.count += other.count;
    sum.sum_ns += other.sum_ns;
    sum.inside_ns += other.inside_ns;
    sum.self_ns += other.self_ns;
    whole.durations[i].add(part.durations[i]);
  }
}

}  // namespace

RangeTable range_table(const Profile& profile, const Timeline& timeline, const std::vector<LaneRow>& rows,
                       std::int64_t from_ns, std::int64_t to_ns, unsigned threads, std::uint64_t most_exact) {
  RangeTable table;
  const RangeSum sum(profile, timeline, from_ns, to_ns);
  for (const LaneRow& where : rows) table.events += sum.events_in(where);
  table.exact = table.events <= most_exact;
  constexpr std::uint64_t kEventsWorthThreads = 100'000;
  const std::size_t part_count = table.events < kEventsWorthThreads ? 1 : threads;
  const std::size_t names = timeline.names.size();
  std::vector<Part> parts(part_count, {std::vector<NameStatistics>(names), std::vector<Durations>(names)});
  std::atomic<std::size_t> next = 0;
  for_each_index(part_count, static_cast<unsigned>(part_count), [&](std::size_t part) {
    for (std::size_t i; (i = next++) < rows.size();) sum.add_row(rows[i], table.exact, parts[part]);
  });
  Part& whole = parts.front();
  for (std::size_t i = 1; i < part_count; ++i) add_part(whole, parts[i]);
  for (std::uint32_t name = 0; name < names; ++name) {
    NameStatistics& found = whole.names[name];
    if (found.count == 0) continue;
    found.name = name;
    found.median_ns = whole.durations[name].at(found.count / 2);
    found.p90_ns = whole.durations[name].at((found.count * 9 - 1) / 10);
    table.names.push_back(found);
  }
  std::ranges::stable_sort(table.names, std::greater(), &NameStatistics::inside_ns);
  return table;
}

}  // namespace vizd
