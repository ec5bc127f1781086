// Stretches of cycles: when something went on, as disjoint pieces in their order. Pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace vizd::bigtpu {

struct Stretch {
  std::int64_t from, to;
};
using Stretches = std::vector<Stretch>;

// Returns the union of any stretches, in any order.
inline Stretches union_of(Stretches all) {
  std::ranges::sort(all, {}, [](const Stretch& stretch) { return std::pair(stretch.from, stretch.to); });
  Stretches joined;
  for (const Stretch& stretch : all) {
    if (!joined.empty() && stretch.from <= joined.back().to) {
      joined.back().to = std::max(joined.back().to, stretch.to);
    } else {
      joined.push_back(stretch);
    }
  }
  return joined;
}

inline std::int64_t length(const Stretches& stretches) {
  std::int64_t sum = 0;
  for (const Stretch& stretch : stretches) sum += stretch.to - stretch.from;
  return sum;
}

// How long both go on.
inline std::int64_t overlap(const Stretches& a, const Stretches& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    sum += std::max<std::int64_t>(0, std::min(a[i].to, b[j].to) - std::max(a[i].from, b[j].from));
    a[i].to < b[j].to ? ++i : ++j;
  }
  return sum;
}

}  // namespace vizd::bigtpu
