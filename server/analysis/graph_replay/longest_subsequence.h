// The longest common subsequence of two sequences, in time and memory of their length times their difference: Myers'
// search tells the difference, and no longest one leaves the diagonals within it. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"

namespace vizd {

struct CommonSubsequence {
  std::size_t length = 0;
  std::vector<std::uint32_t> partners;  // by element of the first the one of the second, the earliest; kNoId: none
  std::vector<bool> is_only;            // by element of the first: whether every longest one has that very pair
};

// By how many single elements, left out of either, the sequences differ; none where that is more than most, or the
// search takes more steps than that. steps grows by those that it took.
template <typename Symbol>
std::optional<std::size_t> difference_of(std::span<const Symbol> x, std::span<const Symbol> y, std::size_t most,
                                         std::size_t most_steps, std::size_t& steps) {
  const auto n = static_cast<std::ptrdiff_t>(x.size()), m = static_cast<std::ptrdiff_t>(y.size());
  const auto limit = static_cast<std::ptrdiff_t>(std::min(most, x.size() + y.size()));
  std::vector<std::ptrdiff_t> reached(static_cast<std::size_t>(2 * limit + 3), 0);  // of x, by diagonal
  for (std::ptrdiff_t d = 0; d <= limit; ++d) {
    for (std::ptrdiff_t k = -d; k <= d; k += 2) {
      const auto at = [&](std::ptrdiff_t diagonal) -> std::ptrdiff_t& {
        return reached[static_cast<std::size_t>(diagonal + limit + 1)];
      };
      std::ptrdiff_t i = k == -d || (k != d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      std::ptrdiff_t j = i - k;
      const std::ptrdiff_t from = i;
      while (i < n && j < m && i >= 0 && j >= 0 && x[static_cast<std::size_t>(i)] == y[static_cast<std::size_t>(j)])
        ++i, ++j;
      at(k) = i;
      steps += static_cast<std::size_t>(i - from) + 1;
      if (i >= n && j >= m) return static_cast<std::size_t>(d);
    }
    if (steps > most_steps) return std::nullopt;
  }
  return std::nullopt;
}

// None where it would take more steps than that. Returns in `taken`, where it is not null, how many it took.
template <typename Symbol>
std::optional<CommonSubsequence> common_subsequence(std::span<const Symbol> x, std::span<const Symbol> y,
                                                    std::size_t most_steps, std::size_t* taken = nullptr) {
  using StepCount = std::uint16_t;
  constexpr StepCount kFar = std::numeric_limits<StepCount>::max();
  const std::size_t n = x.size(), m = y.size();
  std::size_t steps = 0;
  const auto difference = difference_of(x, y, std::min<std::size_t>(n + m, kFar / 2), most_steps, steps);
  if (taken != nullptr) *taken = steps;
  if (!difference) return std::nullopt;
  const std::size_t d = *difference, length = (n + m - d) / 2;
  // Row i has the places j from i - left to i + right.
  const std::size_t left = n - length, width = d + 1;
  if ((n + 1) > most_steps / width) return std::nullopt;
  if (taken != nullptr) *taken += 2 * (n + 1) * width;  // once from the end, once from the beginning
  const auto place_of = [&](std::size_t i, std::size_t k) {
    return static_cast<std::ptrdiff_t>(i + k) - static_cast<std::ptrdiff_t>(left);
  };
  const auto is_within = [&](std::ptrdiff_t j) { return j >= 0 && j <= static_cast<std::ptrdiff_t>(m); };
  const auto is_pair = [&](std::size_t i, std::ptrdiff_t j) {
    return i < n && j >= 0 && j < static_cast<std::ptrdiff_t>(m) && x[i] == y[static_cast<std::size_t>(j)];
  };
  const auto more = [](StepCount out) { return out == kFar ? kFar : static_cast<StepCount>(out + 1); };
  // What is left to be left out from (i, j) to the end.
  std::vector<StepCount> rest((n + 1) * width, kFar);
  const auto rest_at = [&](std::size_t i, std::size_t k) -> StepCount& { return rest[i * width + k]; };
  for (std::size_t i = n + 1; i-- > 0;) {
    for (std::size_t k = width; k-- > 0;) {
      const std::ptrdiff_t j = place_of(i, k);
      if (!is_within(j)) continue;
      StepCount least = i == n && j == static_cast<std::ptrdiff_t>(m) ? StepCount{0} : kFar;
      if (is_pair(i, j)) least = std::min(least, rest_at(i + 1, k));
      if (k + 1 < width && j < static_cast<std::ptrdiff_t>(m)) least = std::min(least, more(rest_at(i, k + 1)));
      if (i < n && k > 0) least = std::min(least, more(rest_at(i + 1, k - 1)));
      rest_at(i, k) = least;
    }
  }
  CommonSubsequence common{length, std::vector(n, kNoId), std::vector(n, false)};
  // The earliest partner of each, of those that a longest one has.
  for (std::size_t i = 0, k = left; i < n && place_of(i, k) < static_cast<std::ptrdiff_t>(m);) {
    const std::ptrdiff_t j = place_of(i, k);
    if (is_pair(i, j) && rest_at(i, k) == rest_at(i + 1, k)) {
      common.partners[i] = static_cast<std::uint32_t>(j);
      ++i;
    } else if (k > 0 && rest_at(i + 1, k - 1) != kFar && rest_at(i, k) == more(rest_at(i + 1, k - 1))) {
      ++i, --k;
    } else {
      ++k;
    }
  }
  // What was left out from the beginning to (i, j), row by row.
  std::vector<StepCount> row(width, kFar), above;
  const auto meets = [d](StepCount a, StepCount b) { return a != kFar && b != kFar && std::size_t{a} + b == d; };
  for (std::size_t i = 0; i < n; ++i) {
    above.swap(row);
    row.assign(width, kFar);
    std::size_t partners = 0;
    bool is_skipped = false;
    for (std::size_t k = 0; k < width; ++k) {
      const std::ptrdiff_t j = place_of(i, k);
      if (!is_within(j)) continue;
      StepCount least = i == 0 && j == 0 ? StepCount{0} : kFar;
      if (i > 0 && j > 0 && is_pair(i - 1, j - 1)) least = std::min(least, above[k]);
      if (k > 0 && j > 0) least = std::min(least, more(row[k - 1]));
      if (i > 0 && k + 1 < width) least = std::min(least, more(above[k + 1]));
      row[k] = least;
      if (is_pair(i, j) && meets(least, rest_at(i + 1, k))) ++partners;
      if (k > 0 && meets(more(least), rest_at(i + 1, k - 1))) is_skipped = true;
    }
    common.is_only[i] = common.partners[i] != kNoId && partners == 1 && !is_skipped;
  }
  return common;
}

}  // namespace vizd
