// Launches of collectives on several ranks: which are of one.
#include "analysis/devices/collective_pairing.h"

#include <fmt/format.h>

#include <string>

#include "support/catch.h"

namespace vizd::collective_pairing_test {
namespace {

constexpr std::int64_t kUs = 1000;

struct Ranks {
  // Launches of one key that end at these times, in microseconds.
  void add(std::uint32_t rank, std::initializer_list<int> ends, std::initializer_list<int> sizes = {},
           std::uint32_t key = 0) {
    const int* size = sizes.begin();
    for (const int end : ends)
      launches.push_back(
          {rank, key, size == sizes.end() ? std::nullopt : std::optional<std::int64_t>(*size++), end * kUs});
  }
  // By launch its collective: "0 1 2 / 1 2 3".
  std::string pairs() const {
    const PairedLaunches found = pair_launches(launches);
    std::string text;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const bool is_next = i > 0 && launches[i].rank != launches[i - 1].rank;
      text += fmt::format("{}{}", i == 0 ? "" : is_next ? " / " : " ", found.collective_of[i]);
    }
    return text;
  }

  std::vector<EndOfLaunch> launches;
};

TEST_CASE("recordings that begin at different collectives are paired by their ends") {
  Ranks ranks;
  ranks.add(0, {100, 200, 300, 400});
  ranks.add(1, {203, 299, 401, 500});
  CHECK(ranks.pairs() == "0 1 2 3 / 1 2 3 4");
}

TEST_CASE("what has another size or group is another collective, though it ends then") {
  Ranks ranks;
  ranks.add(0, {100, 200, 300}, {4, 8, 4});
  ranks.add(1, {100, 200, 300}, {4, 4, 4});
  CHECK(ranks.pairs() == "0 1 3 / 0 2 3");
  Ranks groups;
  groups.add(0, {100, 200}, {}, 0);
  groups.add(1, {100, 200}, {}, 1);
  CHECK(groups.pairs() == "0 1 / 2 3");
}

TEST_CASE("clocks that differ by the same time throughout do not matter") {
  Ranks ranks;
  ranks.add(0, {100, 230, 300, 470, 500});
  ranks.add(1, {70'230, 70'300, 70'470, 70'500});
  CHECK(ranks.pairs() == "0 1 2 3 4 / 1 2 3 4");
}

TEST_CASE("ranks whose ends do not agree are not comparable, and nothing of theirs is paired") {
  Ranks ranks;
  ranks.add(0, {100, 200, 300, 400, 500, 600});
  ranks.add(1, {130, 275, 310, 480, 540, 690});
  const PairedLaunches found = pair_launches(ranks.launches);
  CHECK(found.not_comparable == std::vector<std::uint32_t>{1});
  CHECK(found.collectives == 12);
}

TEST_CASE("of many ranks each is held to those before it") {
  Ranks ranks;
  ranks.add(0, {200, 300, 400});
  ranks.add(1, {100, 200, 300});
  ranks.add(2, {101, 201, 301, 401});
  CHECK(ranks.pairs() == "1 2 3 / 0 1 2 / 0 1 2 3");
}

}  // namespace
}  // namespace vizd::collective_pairing_test
