#include "formats/tinygrad/python/set_order.h"

#include "support/catch.h"

namespace vizd::python::set_order_test {

TEST_CASE("sets of integers are gone through as Python goes through them") {
  const auto order = [](std::vector<Wide> values) {
    std::vector<int> out;
    for (const Wide value : in_set_order(values)) out.push_back(static_cast<int>(value));
    return out;
  };
  CHECK(order({4, 2, 8, 16}) == std::vector<int>{8, 16, 2, 4});
  CHECK(order({8, 16, 2, 4}) == std::vector<int>{8, 16, 2, 4});
  CHECK(order({32, 16, 8, 4, 2}) == std::vector<int>{32, 2, 4, 8, 16});
}

}  // namespace vizd::python::set_order_test
