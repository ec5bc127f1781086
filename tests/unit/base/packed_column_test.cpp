#include "base/packed_column.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "support/catch.h"

namespace vizd::packed_column_test {
namespace {

using Integers = std::vector<std::int64_t>;
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

PackedIntegers packed(const Integers& values) {
  PackedIntegers column;
  for (const std::int64_t value : values) column.push_back(value);
  return column;
}

Integers made(std::size_t count, const std::string& kind) {
  std::mt19937_64 random(7);
  Integers values;
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::int64_t>(i);
    if (kind == "constant") values.push_back(-5);
    if (kind == "counting") values.push_back(1000 + 3 * place);
    if (kind == "near a line") values.push_back(17 * place + static_cast<std::int64_t>(random() % 100));
    if (kind == "any") values.push_back(static_cast<std::int64_t>(random()));
    if (kind == "ends") values.push_back(i % 2 == 0 ? kLeast : kMost);
    if (kind == "mostly none") values.push_back(i % 300 == 299 ? kMost : 0);
  }
  return values;
}

std::size_t bytes_of(const PackedIntegers& column) {
  return column.blocks().size_bytes() + column.words().size_bytes();
}

TEST_CASE("packed integers come back, one by one and all together, packed or not yet") {
  const std::string kind =
      GENERATE(as<std::string>(), "constant", "counting", "near a line", "any", "ends", "mostly none");
  const std::size_t count = GENERATE(0u, 1u, 2u, 255u, 256u, 257u, 1000u);
  const bool is_shrunk = GENERATE(false, true);
  CAPTURE(kind, count, is_shrunk);
  const Integers values = made(count, kind);
  PackedIntegers column = packed(values);
  if (is_shrunk) column.shrink();
  REQUIRE(column.size() == count);
  Integers one_by_one, together;
  for (std::size_t i = 0; i < count; ++i) one_by_one.push_back(column[i]);
  column.for_each([&](std::int64_t value) { together.push_back(value); });
  CHECK(one_by_one == values);
  CHECK(together == values);
}

TEST_CASE("a packed column that was shrunk goes on where it stopped") {
  const Integers values = made(1000, "near a line");
  PackedIntegers column, whole = packed(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    column.push_back(values[i]);
    if (i % 100 == 99) column.shrink();
  }
  whole.shrink();
  column.shrink();
  CHECK(std::ranges::equal(column.words(), whole.words()));
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(column[i] == values[i]);
  column.pop_partial_block();
  CHECK(column.size() == 768);
  CHECK(column[767] == values[767]);
}

TEST_CASE("values appended together are packed as they are one by one") {
  const std::string kind = GENERATE(as<std::string>(), "constant", "counting", "near a line", "any", "ends");
  const std::size_t before = GENERATE(0u, 1u, 255u, 256u), count = GENERATE(0u, 1u, 255u, 256u, 600u);
  const bool is_shrunk = GENERATE(false, true);
  CAPTURE(kind, before, count, is_shrunk);
  const Integers values = made(before + count, kind);
  PackedIntegers one_by_one = packed(values), together;
  together.append(std::span(values).first(before));
  if (is_shrunk) together.shrink();
  together.append(std::span(values).subspan(before));
  one_by_one.shrink();
  together.shrink();
  REQUIRE(together.size() == values.size());
  CHECK(std::ranges::equal(together.words(), one_by_one.words()));
  for (std::size_t i = 0; i < values.size(); ++i) REQUIRE(together[i] == values[i]);
}

TEST_CASE("a count is appended as its numbers are") {
  const std::size_t before = GENERATE(0u, 1u, 256u), count = GENERATE(0u, 1u, 256u, 1000u);
  Integers values = made(before, "any");
  PackedIntegers column = packed(values);
  column.append_counting(-7, count);
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<std::int64_t>(i) - 7);
  PackedIntegers expected = packed(values);
  column.shrink();
  expected.shrink();
  REQUIRE(column.size() == values.size());
  CHECK(std::ranges::equal(column.words(), expected.words()));
  for (std::size_t i = 0; i < values.size(); ++i) REQUIRE(column[i] == values[i]);
}

TEST_CASE("packed integers take few bytes: none to speak of for what counts up") {
  constexpr std::size_t kCount = 100'000;
  const auto bytes_a_value = [](const std::string& kind) {
    PackedIntegers column = packed(made(kCount, kind));
    column.shrink();
    return static_cast<double>(bytes_of(column)) / kCount;
  };
  CHECK(bytes_a_value("constant") < 0.1);
  CHECK(bytes_a_value("counting") < 0.1);
  CHECK(bytes_a_value("near a line") < 1.2);
  CHECK(bytes_a_value("any") < 8.2);
}

TEST_CASE("packed integers are searched: with gaps, without, and where some are there twice") {
  const Integers values = GENERATE(Integers{5, 6, 7, 8, 9}, Integers{0, 3, 4, 100, 101}, Integers{2, 2, 2, 3, 4, 4, 7},
                                   made(1000, "counting"));
  const PackedIntegers column = packed(values);
  for (std::int64_t wanted = -1; wanted < 4200; ++wanted) {
    const auto expected = std::ranges::lower_bound(values, wanted) - values.begin();
    REQUIRE(column.lower_bound(wanted) == static_cast<std::size_t>(expected));
  }
  CHECK(column.is_ascending() == (std::ranges::adjacent_find(values) == values.end()));
  CHECK(PackedIntegers().lower_bound(3) == 0);
}

TEST_CASE("packed integers ascend only where each is greater, from block to block too") {
  CHECK(packed({}).is_ascending());
  CHECK_FALSE(packed({1, 1}).is_ascending());
  Integers values = made(600, "counting");
  CHECK(packed(values).is_ascending());
  values[512] = values[511];
  CHECK_FALSE(packed(values).is_ascending());
  std::ranges::reverse(values);
  CHECK_FALSE(packed(values).is_ascending());
  CHECK_FALSE(packed(made(300, "constant")).is_ascending());
  // Each a fourth of all numbers after the one before: the line goes round.
  CHECK_FALSE(packed({kLeast, kLeast / 2, 0, kMost / 2 + 1, kLeast}).is_ascending());
  Integers around(256);
  for (std::size_t i = 0; i < around.size(); ++i) around[i] = static_cast<std::int64_t>(std::uint64_t{i} << 62);
  CHECK_FALSE(packed(around).is_ascending());
}

TEST_CASE("packed reals come back to the last bit") {
  const double infinite = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back(i * 0.001);
  for (int i = 0; i < 300; ++i) values.push_back(std::sqrt(i));
  for (int i = 0; i < 300; ++i) values.push_back(i * 1e17);
  values.insert(values.end(), {0.0, -0.0, 1e300, -1e-300, infinite, -infinite, none, 0.1, 12.5, 1.0 / 3});
  PackedReals column;
  for (std::size_t i = 0; i < values.size(); ++i) {
    column.push_back(values[i]);
    if (i % 130 == 0) column.shrink();
  }
  const auto check = [&] {
    REQUIRE(column.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      REQUIRE(std::bit_cast<std::uint64_t>(column[i]) == std::bit_cast<std::uint64_t>(values[i]));
  };
  check();
  column.shrink();
  check();
}

TEST_CASE("packed reals that are short decimals take few bytes") {
  constexpr int kCount = 100'000;
  PackedReals column;
  for (int i = 0; i < kCount; ++i) column.push_back((i * 37 % 1000) / 100.0);
  column.shrink();
  CHECK(static_cast<double>(bytes_of(column.packed())) < kCount * 1.5);
}

}  // namespace
}  // namespace vizd::packed_column_test
