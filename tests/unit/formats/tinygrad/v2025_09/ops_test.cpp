#include "formats/tinygrad/v2025_09/ops.h"

#include "support/catch.h"

namespace vizd::tinygrad_2025_09::ops_test {
namespace {

TEST_CASE("ops have the numbers that tinygrad gives them") {
  CHECK(static_cast<int>(Ops::kNoop) == 1);
  CHECK(static_cast<int>(Ops::kView) == 32);
  CHECK(static_cast<int>(Ops::kAdd) == 63);
  CHECK(static_cast<int>(Ops::kCustomi) == kOpsCount - 1);
}

TEST_CASE("every op is found by its name, and nothing else is") {
  for (std::uint16_t number = 1; number < kOpsCount; ++number) {
    const auto op = static_cast<Ops>(number);
    CHECK(op_by_name(op_name(op)) == op);
    CHECK(op_colour(op).size() == 7);
  }
  CHECK(op_name(Ops::kBufferView) == "BUFFER_VIEW");
  CHECK(op_colour(Ops::kReduceAxis) == "#FF6B6B");
  CHECK_FALSE(op_by_name("UNKNOWN"));
  CHECK_FALSE(op_by_name("add"));
  CHECK(op_name(static_cast<Ops>(9999)) == "UNKNOWN");
}

}  // namespace
}  // namespace vizd::tinygrad_2025_09::ops_test
