#include "analysis/figures/median_change.h"

#include <algorithm>
#include <random>

namespace vizd {
namespace {

// Draws from durations with replacement. Of very many a sample will do.
class Drawing {
 public:
  std::span<std::int64_t> draw(const std::vector<std::int64_t>& from) {
    constexpr std::size_t kMost = 2000;
    drawn_.resize(std::min(from.size(), kMost));
    for (std::int64_t& dur_ns : drawn_) dur_ns = from[random_() % from.size()];
    return drawn_;
  }

 private:
  std::minstd_rand random_{1};
  std::vector<std::int64_t> drawn_;
};

}  // namespace

double median_of(std::span<std::int64_t> durations) {
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::ranges::nth_element(durations, middle);
  if (durations.size() % 2 == 1) return static_cast<double>(*middle);
  return (static_cast<double>(*middle) + static_cast<double>(*std::max_element(durations.begin(), middle))) / 2;
}

std::pair<double, double> median_change(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  constexpr std::size_t kDraws = 400;
  Drawing drawing;
  std::vector<double> changes(kDraws);
  for (double& change : changes) {
    const double after = median_of(drawing.draw(b));
    change = after - median_of(drawing.draw(a));
  }
  std::ranges::sort(changes);
  return {changes[kDraws / 40], changes[kDraws - 1 - kDraws / 40]};
}

}  // namespace vizd
