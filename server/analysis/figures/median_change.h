// Medians, and how sure the change of one is: between what it lies with 95 % likelihood, by drawing from the durations
// again and again (bootstrap). The draws are the same each time, so that answers are. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace vizd {

// The mean of the two middle ones where there are evenly many. Reorders them; there is at least one.
double median_of(std::span<std::int64_t> durations);

// Fewer durations on a side say nothing of how they spread.
inline constexpr std::size_t kFewestForChange = 5;

// Returns the bounds of b's median less a's. Each has at least one duration.
std::pair<double, double> median_change(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b);

}  // namespace vizd
