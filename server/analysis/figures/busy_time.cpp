#include "analysis/figures/busy_time.h"

#include <algorithm>
#include <span>

#include "analysis/figures/rows_by_start.h"
#include "analysis/figures/span_union.h"
#include "base/parallel.h"

namespace vizd {
namespace {

// The busy time of one lane.
std::int64_t busy_in_lane(const EventColumns& events, const LaneIndex& lane, std::span<const LaneRow> rows,
                          std::int64_t from_ns, std::int64_t to_ns, const Budget& budget) {
  SpanUnion busy;
  for_each_by_start(
      events, lane, rows, from_ns, to_ns, budget, [](std::uint32_t) { return true; },
      [&](std::uint32_t event) {
        busy.add(std::max(events.start_ns(event), from_ns), std::min(events.end_ns(event), to_ns));
      });
  return busy.length_ns();
}

}  // namespace

std::int64_t busy_time(const Profile& profile, const Timeline& timeline, const std::vector<LaneRow>& rows,
                       std::int64_t from_ns, std::int64_t to_ns, unsigned threads, const Budget& budget) {
  std::vector<std::span<const LaneRow>> lanes;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end].lane == rows[begin].lane) ++end;
    lanes.push_back(std::span(rows).subspan(begin, end - begin));
  }
  std::vector<std::int64_t> busy_ns(lanes.size());
  for_each_index(lanes.size(), threads, [&](std::size_t i) {
    const std::uint32_t lane = lanes[i].front().lane;
    const LaneIndex& index = timeline.lanes[lane];
    const bool is_whole = lanes[i].size() == index.row_count() && from_ns <= index.first_ns && to_ns >= index.last_ns;
    busy_ns[i] = is_whole ? index.busy_ns
                          : busy_in_lane(profile.tracks[lane].events, index, lanes[i], from_ns, to_ns, Budget(budget));
  });
  std::int64_t sum_ns = 0;
  for (const std::int64_t ns : busy_ns) sum_ns += ns;
  return sum_ns;
}

RangeTime range_time(const Profile& profile, const Timeline& timeline, const std::vector<LaneRow>& rows,
                     std::int64_t from_ns, std::int64_t to_ns, unsigned threads, const Budget& budget) {
  RangeTime time{.busy_ns = busy_time(profile, timeline, rows, from_ns, to_ns, threads, budget)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || rows[i].lane != rows[i - 1].lane) ++time.lanes;
  }
  time.wall_ns = (to_ns - from_ns) * static_cast<std::int64_t>(time.lanes);
  return time;
}

std::vector<LaneRow> rows_of(const Timeline& timeline, const std::vector<std::uint32_t>& lanes) {
  std::vector<LaneRow> rows;
  for (const std::uint32_t lane : lanes) {
    for (std::uint32_t row = 0; row < timeline.lanes[lane].row_count(); ++row) rows.push_back({lane, row});
  }
  return rows;
}

}  // namespace vizd
