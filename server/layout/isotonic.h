// Isotonic regression by pooling adjacent violators (PAVA): exact, in linear time.
#pragma once

#include <span>
#include <vector>

namespace vizd {

struct IsotonicPoint {
  double wanted = 0;
  double weight = 0;  // above 0
};

// Sets values to the numbers in ascending order that lie nearest to the wanted ones: least sum of
// weight * (value - wanted)^2. values has a place for each point.
void isotonic_regression(std::span<const IsotonicPoint> points, std::span<double> values);

}  // namespace vizd
