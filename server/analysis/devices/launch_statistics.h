// LaunchStatistics: durations of launches summed up: exact whole nanoseconds, but for mean and median. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "analysis/figures/ranked_values.h"

namespace vizd {

struct LaunchStatistics {
  std::int64_t launches = 0, total_ns = 0, p90_ns = 0, p99_ns = 0, min_ns = 0, max_ns = 0;
  double mean_ns = 0, median_ns = 0;
};

// Statistics of at least one launch. The median of an even number is the mean of the two middle ones; the 90th
// percentile is the one at ceil(0.9 n), so that it is a real launch's; the 99th likewise.
template <typename Duration>
LaunchStatistics launch_statistics_of(std::span<const Duration> durations_ns) {
  const std::size_t n = durations_ns.size();
  LaunchStatistics s;
  s.launches = static_cast<std::int64_t>(n);
  s.total_ns = std::accumulate(durations_ns.begin(), durations_ns.end(), std::int64_t{0});
  s.mean_ns = static_cast<double>(s.total_ns) / static_cast<double>(n);
  const auto [least, most] = std::ranges::minmax(durations_ns);
  s.min_ns = static_cast<std::int64_t>(least);
  s.max_ns = static_cast<std::int64_t>(most);
  RankedValues ranked(durations_ns, least, most);
  s.median_ns = (static_cast<double>(ranked.at((n - 1) / 2)) + static_cast<double>(ranked.at(n / 2))) / 2;
  s.p90_ns = static_cast<std::int64_t>(ranked.at((9 * n + 9) / 10 - 1));
  s.p99_ns = static_cast<std::int64_t>(ranked.at((99 * n + 99) / 100 - 1));
  return s;
}

inline LaunchStatistics launch_statistics(const std::vector<std::int64_t>& durations_ns) {
  return launch_statistics_of(std::span(durations_ns));
}

}  // namespace vizd
