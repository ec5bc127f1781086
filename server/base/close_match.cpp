#include "base/close_match.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vizd {
namespace {

constexpr double kLeastRatio = 0.6;
constexpr std::size_t kMostCompared = 1000;  // of longer ones only the beginning is compared

// Characters in the blocks that SequenceMatcher finds: the longest first (of equal ones that first in a, then in b),
// then what is before it and after it.
std::size_t matching(std::string_view a, std::string_view b) {
  std::size_t best_a = 0, best_b = 0, best = 0;
  std::vector<std::size_t> ends(b.size() + 1), next(b.size() + 1);  // of blocks that end at a[i], b[j - 1]
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      next[j + 1] = a[i] == b[j] ? ends[j] + 1 : 0;
      if (next[j + 1] <= best) continue;
      best = next[j + 1];
      best_a = i + 1 - best;
      best_b = j + 1 - best;
    }
    std::swap(ends, next);
  }
  if (best == 0) return 0;
  return matching(a.substr(0, best_a), b.substr(0, best_b)) + best +
         matching(a.substr(best_a + best), b.substr(best_b + best));
}

}  // namespace

double likeness_ratio(std::string_view a, std::string_view b) {
  a = a.substr(0, kMostCompared);
  b = b.substr(0, kMostCompared);
  if (a.empty() && b.empty()) return 1;
  return 2.0 * static_cast<double>(matching(a, b)) / static_cast<double>(a.size() + b.size());
}

std::string close_match(std::string_view name, std::span<const std::string> names) {
  std::string best;
  double best_ratio = kLeastRatio;
  for (const std::string& candidate : names) {
    const double ratio = likeness_ratio(candidate, name);
    if (ratio < best_ratio || (ratio == best_ratio && candidate <= best)) continue;
    best_ratio = ratio;
    best = candidate;
  }
  return best;
}

}  // namespace vizd
