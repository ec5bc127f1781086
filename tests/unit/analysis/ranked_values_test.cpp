// What stands at a place of the sorted order, held against sorting.
#include "analysis/figures/ranked_values.h"

#include <limits>
#include <random>

#include "analysis/devices/launch_statistics.h"
#include "support/catch.h"

namespace vizd::ranked_values_test {
namespace {

template <typename Value>
void check_all_places(const std::vector<Value>& values) {
  std::vector<Value> sorted = values;
  std::ranges::sort(sorted);
  RankedValues<Value> ranked(values, sorted.front(), sorted.back());
  std::size_t wrong = 0;
  for (std::size_t place = 0; place < sorted.size(); place += 1 + sorted.size() / 300)
    wrong += ranked.at(place) != sorted[place];
  wrong += ranked.at(sorted.size() - 1) != sorted.back();
  CHECK(wrong == 0);
}

std::vector<std::int64_t> random_values(std::size_t count, std::int64_t below, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> values(count);
  for (std::int64_t& value : values) value = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
  return values;
}

TEST_CASE("a value's place is that of sorting, whatever the values' range") {
  for (const std::size_t count : {1u, 2u, 3u, 1000u}) {
    for (const std::int64_t below : {std::int64_t{1}, std::int64_t{7}, std::int64_t{2048}, std::int64_t{2049},
                                     std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()})
      check_all_places(random_values(count, below, 5));
  }
  const std::vector<std::int64_t> wide = random_values(1000, 1 << 30, 6);
  check_all_places(std::vector<std::uint32_t>(wide.begin(), wide.end()));
  check_all_places<std::int64_t>(
      {std::numeric_limits<std::int64_t>::min(), -3, 0, 5, std::numeric_limits<std::int64_t>::max()});
  check_all_places<std::uint32_t>({0, std::numeric_limits<std::uint32_t>::max()});
}

TEST_CASE("where one value lies far off, the others are told apart all the same") {
  std::vector<std::int64_t> values = random_values(200'000, 20'000, 7);
  values.push_back(std::int64_t{1} << 50);
  check_all_places(values);
}

TEST_CASE("statistics of launches: the median of an even number lies between two, the 90th percentile is one of them") {
  const LaunchStatistics even = launch_statistics({4, 1, 3, 2});
  CHECK(even.median_ns == 2.5);
  CHECK(even.p90_ns == 4);
  CHECK(even.total_ns == 10);
  CHECK(even.min_ns == 1);
  const LaunchStatistics one = launch_statistics({7});
  CHECK(one.median_ns == 7);
  CHECK(one.p90_ns == 7);
  std::vector<std::int64_t> ten;
  for (int i = 10; i > 0; --i) ten.push_back(i);
  CHECK(launch_statistics(ten).p90_ns == 9);
}

}  // namespace
}  // namespace vizd::ranked_values_test
