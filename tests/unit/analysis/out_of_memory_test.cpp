// Why memory ran out, of allocators made up.
#include "analysis/allocator/out_of_memory.h"

#include "support/catch.h"

namespace vizd::out_of_memory_test {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

// A segment of 100 MiB with blocks of these sizes, every other one alive; and a lack of memory at the end.
Track made_track(const std::vector<std::uint64_t>& blocks, std::uint64_t asked, std::uint64_t device_free) {
  auto log = std::make_shared<AllocatorLog>();
  log->pools.push_back({.is_known = true});
  log->segments.push_back({.address = kMiB, .size_bytes = 100 * kMiB});
  log->entries.action.push_back(AllocatorAction::kOom);
  log->entries.at_ns.push_back(0);
  log->entries.address.push_back(device_free);
  log->entries.size_bytes.push_back(asked);
  Track track;
  track.kind = TrackKind::kMemory;
  std::uint64_t at = kMiB;
  for (std::size_t i = 0; i < blocks.size(); at += blocks[i++]) {
    if (i % 2 == 1) continue;
    track.allocations.push_back({.count = blocks[i], .item_size_bytes = 1, .address = at});
    AllocatorLives& lives = log->lives;
    lives.requested_bytes.push_back(blocks[i]);
    lives.born.push_back(0), lives.freed.push_back(kNeverDone), lives.completed.push_back(kNeverDone);
    lives.pool.push_back(0), lives.site.push_back(0), lives.flags.push_back(0);
  }
  track.allocator = std::move(log);
  return track;
}

OutOfMemory lack(const Track& track) { return out_of_memory(track, AllocatorStates(track), 1); }

TEST_CASE("memory ran out because it was too much, in pieces, elsewhere, or because the process may have no more") {
  const auto reason = [](std::uint64_t asked, std::uint64_t device_free) {
    return lack(made_track({20 * kMiB, 30 * kMiB, 10 * kMiB, 40 * kMiB}, asked, device_free)).reason;
  };
  CHECK(reason(40 * kMiB, 0) == OomReason::kOtherPool);
  CHECK(reason(60 * kMiB, 0) == OomReason::kFragmented);
  CHECK(reason(80 * kMiB, 79 * kMiB) == OomReason::kTooMuch);
  CHECK(reason(80 * kMiB, std::uint64_t{9} << 30) == OomReason::kLimit);
  CHECK(reason(80 * kMiB, Allocation::kNoAddress) == OomReason::kTooMuch);
}

TEST_CASE("that the device had room is told whatever else was the reason") {
  constexpr std::uint64_t kGiB = 1 << 30;
  const std::vector<std::uint64_t> blocks{20 * kMiB, 30 * kMiB, 10 * kMiB, 40 * kMiB};
  CHECK(lack(made_track(blocks, 60 * kMiB, kGiB + 60 * kMiB)).is_limited);
  CHECK(lack(made_track(blocks, 60 * kMiB, kGiB + 60 * kMiB)).reason == OomReason::kFragmented);
  CHECK(!lack(made_track(blocks, 60 * kMiB, kGiB)).is_limited);
}

TEST_CASE("nothing free on the device is told, and is another thing than not being told") {
  CHECK(lack(made_track({kMiB}, kMiB, 0)).device_free_bytes == 0u);
  CHECK(lack(made_track({kMiB}, kMiB, Allocation::kNoAddress)).device_free_bytes == std::nullopt);
}

TEST_CASE("what lies between free pieces is the least that would have been enough without it") {
  const Track track = made_track({20 * kMiB, 30 * kMiB, 10 * kMiB, 40 * kMiB}, 60 * kMiB, 0);
  const AllocatorStates states(track);
  const auto between = find_obstacles(states, states.at(1), 60 * kMiB);
  REQUIRE(between);
  CHECK(between->alive_bytes == 10 * kMiB);
  CHECK(between->lives == std::vector<std::uint32_t>{1});
  CHECK(between->size_bytes == 80 * kMiB);
  CHECK(!find_obstacles(states, states.at(1), 101 * kMiB));
}

TEST_CASE("all moments at which memory ran out are found") {
  const Track track = made_track({kMiB}, kMiB, 0);
  CHECK(moments_out_of_memory(*track.allocator) == std::vector<AllocatorMoment>{1});
}

}  // namespace
}  // namespace vizd::out_of_memory_test
