#include "base/hash_index.h"

#include <algorithm>
#include <map>
#include <random>

#include "support/catch.h"

namespace vizd::hash_index_test {
namespace {

TEST_CASE("an index finds what was added, and only that, also after erasing") {
  // Few distinct hashes, so that places run into one another and around the table's end.
  std::mt19937 random(7);
  HashIndex index;
  std::map<std::uint32_t, std::uint32_t> hashes;  // of what is in there, by its index
  std::uint32_t next = 0;
  for (int round = 0; round < 20'000; ++round) {
    if (hashes.empty() || random() % 3 != 0) {
      const auto hash = static_cast<std::uint32_t>(random() % 40) * 0x01000025u - 20;
      index.add(hash, next);
      hashes.emplace(next++, hash);
    } else {
      const auto gone =
          std::next(hashes.begin(), static_cast<std::ptrdiff_t>(random() % std::min<std::size_t>(hashes.size(), 50)));
      index.erase(gone->second, gone->first);
      hashes.erase(gone);
    }
    if (round % 500 != 0) continue;
    for (std::uint32_t i = 0; i < next; ++i) {
      const auto there = hashes.find(i);
      const std::uint32_t hash = there == hashes.end() ? (i % 40) * 0x01000025u - 20 : there->second;
      const std::uint32_t found = index.find(hash, [&](std::uint32_t candidate) { return candidate == i; });
      if ((found == i) != (there != hashes.end())) FAIL("index " << i << " in round " << round);
    }
  }
  CHECK(next > 10'000);
}

TEST_CASE("an index with nothing in it finds nothing") {
  HashIndex index;
  CHECK(index.find(0, [](std::uint32_t) { return true; }) == HashIndex::kNone);
  index.reserve(1000);
  CHECK(index.find(0, [](std::uint32_t) { return true; }) == HashIndex::kNone);
}

}  // namespace
}  // namespace vizd::hash_index_test
