// Exact figures of whole durations: sums, the middle ones and the largest. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace vizd {

struct DurationFigures {
  std::int64_t count = 0, total_ns = 0, min_ns = 0, max_ns = 0, p90_ns = 0;
  double mean_ns = 0, median_ns = 0;
};

// At least one duration is required.
inline DurationFigures duration_figures(std::vector<std::int64_t> durs_ns) {
  std::ranges::sort(durs_ns);
  const std::size_t count = durs_ns.size();
  DurationFigures figures{.count = static_cast<std::int64_t>(count)};
  figures.total_ns = std::accumulate(durs_ns.begin(), durs_ns.end(), std::int64_t{0});
  figures.mean_ns = static_cast<double>(figures.total_ns) / static_cast<double>(count);
  figures.median_ns = (static_cast<double>(durs_ns[(count - 1) / 2]) + static_cast<double>(durs_ns[count / 2])) / 2;
  figures.p90_ns = durs_ns[(9 * count + 9) / 10 - 1];
  figures.min_ns = durs_ns.front();
  figures.max_ns = durs_ns.back();
  return figures;
}

}  // namespace vizd
