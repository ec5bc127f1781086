// LaunchStatistics: durations of launches summed up: exact whole nanoseconds, but for mean and median. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace vizd {

struct LaunchStatistics {
  std::int64_t launches = 0, total_ns = 0, p90_ns = 0, min_ns = 0, max_ns = 0;
  double mean_ns = 0, median_ns = 0;
};

// Of at least one; changes their order. The median of an even number is the mean of the two middle ones; the 90th
// percentile is the one at ceil(0.9 n), so that it is a real launch's.
inline LaunchStatistics launch_statistics_of(std::span<std::int64_t> durations_ns) {
  const std::size_t n = durations_ns.size();
  LaunchStatistics s;
  s.launches = static_cast<std::int64_t>(n);
  s.total_ns = std::accumulate(durations_ns.begin(), durations_ns.end(), std::int64_t{0});
  s.mean_ns = static_cast<double>(s.total_ns) / static_cast<double>(n);
  const auto [least, most] = std::ranges::minmax(durations_ns);
  s.min_ns = least;
  s.max_ns = most;
  const auto at = [&](std::size_t place) { return durations_ns.begin() + static_cast<std::ptrdiff_t>(place); };
  std::ranges::nth_element(durations_ns, at(n / 2));
  const std::int64_t upper = *at(n / 2);
  const std::int64_t lower = n % 2 == 1 ? upper : *std::max_element(durations_ns.begin(), at(n / 2));
  s.median_ns = (static_cast<double>(lower) + static_cast<double>(upper)) / 2;
  const std::size_t p90 = (9 * n + 9) / 10 - 1;
  if (p90 < n / 2) {
    s.p90_ns = lower;
  } else {
    std::nth_element(at(n / 2), at(p90), durations_ns.end());
    s.p90_ns = *at(p90);
  }
  return s;
}

inline LaunchStatistics launch_statistics(std::vector<std::int64_t> durations_ns) {
  return launch_statistics_of(durations_ns);
}

}  // namespace vizd
