// FLOP as PyTorch's profiler counts it.
#include "analysis/pytorch/profiler_flop.h"

#include "support/catch.h"

namespace vizd::profiler_flop_test {

TEST_CASE("products, convolutions and elementwise sums are counted, and nothing else") {
  const auto flop = [](std::string_view name, std::string_view dims, std::string_view concrete = "[]") {
    return profiler_flop({.name = name,
                          .dims = dims,
                          .types = R"(["float","float","float","ScalarList","ScalarList","ScalarList","Scalar"])",
                          .concrete = concrete});
  };
  CHECK(flop("aten::mm", "[[2, 3], [3, 4]]") == 48);
  CHECK(flop("aten::addmm", "[[4], [2, 3], [3, 4], [], []]") == 48);
  CHECK(flop("aten::bmm", "[[5, 2, 3], [5, 3, 4]]") == 240);
  CHECK(flop("aten::add", "[[8, 16, 32], [8, 16, 32], []]") == 4096);
  CHECK(flop("aten::mul", "[[], []]") == 1);  // of no dimensions
  const std::string_view values = R"(["","","","[2, 2]","[3, 3]","[1, 1]","1"])";
  CHECK(flop("aten::conv2d", "[[1, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], []]", values) == 236'027'904);
  CHECK(!flop("aten::add_", "[[8], [8], []]"));
  CHECK(!flop("aten::relu", "[[8]]"));
  CHECK(!flop("aten::mm", ""));
  CHECK(!flop("aten::mm", "[[2, 3]]"));
  CHECK(!flop("aten::conv2d", "[[1, 3, 224, 224], [64, 3, 7, 7]]"));
}

}  // namespace vizd::profiler_flop_test
