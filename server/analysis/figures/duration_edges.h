// DurationEdges: the edges of bins that durations are counted in, each as many times as long as the one before. Pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vizd {

class DurationEdges {
 public:
  // least_ns is at least 1.
  DurationEdges(double least_ns, double most_ns, std::size_t bins) : edges_ns_(bins + 1) {
    const double ratio = std::max(most_ns, least_ns) / least_ns;
    for (std::size_t i = 0; i <= bins; ++i)
      edges_ns_[i] = least_ns * std::pow(ratio, static_cast<double>(i) / static_cast<double>(bins));
  }

  // Beyond the edges: in the first bin, or in the last.
  std::size_t bin_of(std::int64_t dur_ns) const {
    const auto above = std::ranges::upper_bound(edges_ns_, static_cast<double>(dur_ns)) - edges_ns_.begin();
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - 1, 0, std::ssize(edges_ns_) - 2));
  }

  // One more than there are bins.
  const std::vector<double>& edges_ns() const { return edges_ns_; }

 private:
  std::vector<double> edges_ns_;
};

}  // namespace vizd
