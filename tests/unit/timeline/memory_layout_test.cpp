#include "timeline/memory_layout.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "support/catch.h"

namespace vizd::memory_layout_test {
namespace {

// Allocations of a made-up program: `count` of them, of which most are freed, a step of one nanosecond each.
std::vector<Allocation> random_allocations(std::mt19937& random, std::size_t count) {
  std::vector<Allocation> allocations;
  std::vector<std::uint32_t> live;
  std::uint32_t order = 0;
  while (allocations.size() < count) {
    if (!live.empty() && random() % 5 < 2) {
      const std::size_t pick = random() % live.size();
      Allocation& a = allocations[live[pick]];
      a.freed = true;
      a.death_order = order;
      a.death_ns = order++;
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(pick));
    } else {
      Allocation a;
      a.key = allocations.size();
      a.count = random() % 8 == 0 ? 0 : random() % 64;
      a.item_size_bytes = 1u << random() % 4;
      a.birth_order = order;
      a.birth_ns = order++;
      live.push_back(static_cast<std::uint32_t>(allocations.size()));
      allocations.push_back(a);
    }
  }
  return allocations;
}

bool alive_after(const Allocation& a, std::uint32_t order) {
  return a.birth_order <= order && !(a.freed && a.death_order <= order);
}

std::uint64_t live_bytes_after(const std::vector<Allocation>& allocations, std::uint32_t order) {
  std::uint64_t bytes = 0;
  for (const Allocation& a : allocations) bytes += alive_after(a, order) ? a.size_bytes() : 0;
  return bytes;
}

Allocation allocation(std::uint64_t size_bytes, std::uint32_t birth, std::uint32_t death = kNoId) {
  Allocation a;
  a.count = size_bytes;
  a.item_size_bytes = 1;
  a.birth_order = birth;
  a.birth_ns = birth;
  a.freed = death != kNoId;
  a.death_order = a.freed ? death : 0;
  a.death_ns = a.death_order;
  return a;
}

std::vector<std::uint64_t> offsets_of(const MemoryLayout& layout) {
  std::vector<std::uint64_t> offsets;
  for (std::uint32_t i = 0; i < layout.offset_bytes.size(); ++i) offsets.push_back(layout.offset(i));
  return offsets;
}

TEST_CASE("no allocations take no memory", "[timeline]") {
  const MemoryLayout layout = memory_layout({});
  CHECK(layout.height_bytes == 0);
  CHECK(layout.peak_bytes == 0);
  CHECK(layout.changes.empty());
  CHECK(layout.at_peak.empty());
}

TEST_CASE("a freed hole is used again by what fits it best, and neighbours become one", "[timeline]") {
  const std::vector<Allocation> allocations = {
      allocation(10, 0, 4), allocation(20, 1, 5), allocation(30, 2, 8),
      allocation(5, 3),     allocation(30, 6),  // into the hole that the first two leave together
      allocation(1, 7),                         // at the top: no hole is left
      allocation(12, 9),                        // into the third's
  };
  const MemoryLayout layout = memory_layout(allocations);
  CHECK(offsets_of(layout) == std::vector<std::uint64_t>{0, 10, 30, 60, 0, 65, 30});
  CHECK(layout.height_bytes == 66);
}

TEST_CASE("the peak is the first and exact, with the set alive then", "[timeline]") {
  const std::vector<Allocation> allocations = {allocation(10, 0, 2), allocation(20, 1, 5), allocation(10, 3, 4),
                                               allocation(1, 6)};
  const MemoryLayout layout = memory_layout(allocations);
  CHECK(layout.peak_bytes == 30);
  CHECK(layout.peak_ns == 1);
  CHECK(layout.at_peak == std::vector<std::uint32_t>{0, 1});
  CHECK(layout.end_bytes == 1);
}

TEST_CASE("changes are in the order of their numbers, with whatever gaps between these", "[timeline]") {
  std::mt19937 random(7);
  const std::vector<Allocation> counted = random_allocations(random, 300);
  const MemoryLayout expected = memory_layout(counted);
  for (const std::uint32_t gap : {3u, 100'000u}) {
    std::vector<Allocation> apart = counted;
    for (Allocation& a : apart) a.birth_order = a.birth_order * gap + 2, a.death_order = a.death_order * gap + 2;
    const MemoryLayout layout = memory_layout(apart);
    REQUIRE(layout.changes.size() == expected.changes.size());
    for (std::size_t i = 0; i < layout.changes.size(); ++i) REQUIRE(layout.changes[i] == expected.changes[i]);
    CHECK(offsets_of(layout) == offsets_of(expected));
    CHECK(layout.at_peak == expected.at_peak);
  }
}

TEST_CASE("sums, peak and rectangles hold for any allocations", "[timeline]") {
  std::mt19937 random(20250921);
  for (int round = 0; round < 60; ++round) {
    const std::vector<Allocation> allocations = random_allocations(random, 1 + static_cast<std::size_t>(round) * 3);
    const MemoryLayout layout = memory_layout(allocations);

    std::uint64_t peak = 0;
    for (std::uint32_t order = 0; order < layout.changes.size(); ++order) {
      const std::uint64_t bytes = live_bytes_after(allocations, order);
      REQUIRE(layout.live(order).bytes == bytes);
      REQUIRE(layout.live(order).at_ns == order);
      if (bytes > peak) REQUIRE(layout.peak_ns >= order);
      peak = std::max(peak, bytes);
    }
    REQUIRE(layout.peak_bytes == peak);
    REQUIRE(layout.end_bytes == (layout.changes.empty() ? 0 : layout.live(layout.changes.size() - 1).bytes));
    const std::uint64_t at_peak =
        std::accumulate(layout.at_peak.begin(), layout.at_peak.end(), std::uint64_t{0},
                        [&](std::uint64_t sum, std::uint32_t i) { return sum + allocations[i].size_bytes(); });
    REQUIRE(at_peak == peak);
    REQUIRE(layout.height_bytes >= peak);

    for (std::size_t i = 0; i < allocations.size(); ++i) {
      const std::uint64_t begin = layout.offset(static_cast<std::uint32_t>(i)),
                          end = begin + allocations[i].size_bytes();
      REQUIRE(end <= layout.height_bytes);
      for (std::size_t j = 0; j < i; ++j) {
        const bool together = alive_after(allocations[j], allocations[i].birth_order);
        const std::uint64_t other = layout.offset(static_cast<std::uint32_t>(j)),
                            other_end = other + allocations[j].size_bytes();
        if (together) REQUIRE((end <= other || other_end <= begin || begin == end || other == other_end));
      }
    }
  }
}

TEST_CASE("changes are in order whether their numbers count through or leave some out", "[timeline]") {
  std::mt19937 random(7);
  std::vector<Allocation> allocations = random_allocations(random, 50);
  const MemoryLayout counted = memory_layout(allocations);
  for (Allocation& a : allocations) a.birth_order = 3 * a.birth_order + 5, a.death_order = 3 * a.death_order + 5;
  const MemoryLayout sparse = memory_layout(allocations);
  REQUIRE(counted.changes.size() == sparse.changes.size());
  for (std::size_t i = 0; i < counted.changes.size(); ++i) {
    CHECK(counted.changes[i] == sparse.changes[i]);
    CHECK(counted.live(i).bytes == sparse.live(i).bytes);
  }
  CHECK(offsets_of(counted) == offsets_of(sparse));
}

TEST_CASE("absurd sizes stop at the top and do no harm", "[timeline]") {
  std::vector<Allocation> allocations;
  for (std::uint32_t i = 0; i < 20; ++i)
    allocations.push_back(allocation(std::uint64_t{1} << (50 + i % 14), i, 100 + i));
  const MemoryLayout layout = memory_layout(allocations);
  CHECK(layout.peak_bytes <= std::uint64_t{1} << 63);
  CHECK(layout.height_bytes <= std::uint64_t{1} << 63);
}

}  // namespace
}  // namespace vizd::memory_layout_test
