#include "analysis/name_durations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/durations.h"
#include "base/parallel.h"

namespace vizd {
namespace {

struct LaneSum {
  NameStatistics sum;
  std::int64_t least_ns = std::numeric_limits<std::int64_t>::max();
  Durations durations;
};

LaneSum sum_lane(const EventColumns& events, StringId name, std::uint32_t lane, bool exact) {
  LaneSum found;
  NameStatistics& sum = found.sum;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events.name(i) != name) continue;
    const std::int64_t length_ns = events.length_ns(i), start_ns = events.start_ns(i);
    const bool is_worst =
        sum.count == 0 || length_ns > sum.max_ns || (length_ns == sum.max_ns && start_ns < sum.worst_start_ns);
    if (is_worst) {
      sum.max_ns = length_ns;
      sum.worst = {lane, i};
      sum.worst_start_ns = start_ns;
    }
    ++sum.count;
    sum.sum_ns += length_ns;
    found.least_ns = std::min(found.least_ns, length_ns);
    found.durations.add(length_ns, exact);
  }
  return found;
}

void add_lane(LaneSum& whole, const LaneSum& lane) {
  NameStatistics& sum = whole.sum;
  const NameStatistics& other = lane.sum;
  if (other.count == 0) return;
  if (sum.count == 0 || other.max_ns > sum.max_ns ||
      (other.max_ns == sum.max_ns && other.worst_start_ns < sum.worst_start_ns)) {
    sum.max_ns = other.max_ns;
    sum.worst = other.worst;
    sum.worst_start_ns = other.worst_start_ns;
  }
  sum.count += other.count;
  sum.sum_ns += other.sum_ns;
  whole.least_ns = std::min(whole.least_ns, lane.least_ns);
  whole.durations.add(lane.durations);
}

}  // namespace

NameDurations name_durations(const Profile& profile, const Timeline& timeline, std::uint32_t name, std::size_t bins,
                             unsigned threads, std::uint64_t most_exact) {
  std::uint64_t events = 0;
  for (const Track& lane : profile.tracks) events += lane.events.size();
  NameDurations found;
  found.exact = events <= most_exact;
  std::vector<LaneSum> lanes(profile.tracks.size());
  for_each_index(lanes.size(), threads, [&](std::size_t i) {
    lanes[i] = sum_lane(profile.tracks[i].events, timeline.names[name], static_cast<std::uint32_t>(i), found.exact);
  });
  LaneSum whole;
  for (const LaneSum& lane : lanes) add_lane(whole, lane);
  found.all = whole.sum;
  found.all.name = name;
  found.all.inside_ns = found.all.sum_ns;
  found.all.median_ns = whole.durations.at(found.all.count / 2);
  found.all.p90_ns = whole.durations.at((found.all.count * 9 - 1) / 10);
  found.least_ns = whole.least_ns;

  const double least = static_cast<double>(std::max<std::int64_t>(whole.least_ns, 1));
  const double ratio = std::max(static_cast<double>(found.all.max_ns), least) / least;
  for (std::size_t i = 0; i <= bins; ++i)
    found.edges_ns.push_back(least * std::pow(ratio, static_cast<double>(i) / static_cast<double>(bins)));
  found.count.resize(bins);
  whole.durations.for_each([&](std::int64_t ns, std::uint64_t count) {
    const auto after = std::ranges::upper_bound(found.edges_ns, static_cast<double>(ns)) - found.edges_ns.begin();
    found.count[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - 1, 0, std::ssize(found.count) - 1))] +=
        count;
  });
  return found;
}

}  // namespace vizd
