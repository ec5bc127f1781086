// LaunchStatistics: durations of launches summed up: exact whole nanoseconds, but for mean and median. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace vizd {

struct LaunchStatistics {
  std::int64_t launches = 0, total_ns = 0, p90_ns = 0, min_ns = 0, max_ns = 0;
  double mean_ns = 0, median_ns = 0;
};

// Of at least one. The median of an even number is the mean of the two middle ones; the 90th percentile is the one at
// ceil(0.9 n), so that it is a real launch's.
inline LaunchStatistics launch_statistics(std::vector<std::int64_t> durations_ns) {
  std::ranges::sort(durations_ns);
  const std::size_t n = durations_ns.size();
  LaunchStatistics s;
  s.launches = static_cast<std::int64_t>(n);
  s.total_ns = std::accumulate(durations_ns.begin(), durations_ns.end(), std::int64_t{0});
  s.mean_ns = static_cast<double>(s.total_ns) / static_cast<double>(n);
  s.median_ns = (static_cast<double>(durations_ns[(n - 1) / 2]) + static_cast<double>(durations_ns[n / 2])) / 2;
  s.p90_ns = durations_ns[(9 * n + 9) / 10 - 1];
  s.min_ns = durations_ns.front();
  s.max_ns = durations_ns.back();
  return s;
}

}  // namespace vizd
