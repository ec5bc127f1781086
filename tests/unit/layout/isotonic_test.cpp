// Pooling adjacent violators against the regression's min-max formula.
#include "layout/isotonic.h"

#include <algorithm>
#include <limits>

#include "support/catch.h"
#include "support/layout_graphs.h"

namespace vizd::isotonic_test {
namespace {

// value[i] = max over a <= i of min over b >= i of the mean of points a to b (Barlow et al. 1972).
std::vector<double> brute_force(const std::vector<IsotonicPoint>& points) {
  std::vector<double> values;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double greatest = -std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a <= i; ++a) {
      double least = std::numeric_limits<double>::infinity();
      double sum = 0;
      double weight = 0;
      for (std::size_t b = a; b < points.size(); ++b) {
        sum += points[b].wanted * points[b].weight;
        weight += points[b].weight;
        if (b >= i) least = std::min(least, sum / weight);
      }
      greatest = std::max(greatest, least);
    }
    values.push_back(greatest);
  }
  return values;
}

}  // namespace

TEST_CASE("isotonic regression finds the nearest ascending numbers") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    TestRandom random(seed);
    std::vector<IsotonicPoint> points;
    for (std::uint32_t i = 0; i < seed % 30; ++i) {
      points.push_back({static_cast<double>(random.below(100)), 0.25 * (1 + random.below(8))});
    }
    std::vector<double> values(points.size());
    isotonic_regression(points, values);
    const std::vector<double> expected = brute_force(points);
    CHECK(std::is_sorted(values.begin(), values.end()));
    for (std::size_t i = 0; i < points.size(); ++i) CHECK(values[i] == Approx(expected[i]));
  }
}

}  // namespace vizd::isotonic_test
