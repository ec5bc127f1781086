// What an allocator had over time, from sums that are kept block by block, against sums over all of its allocations.
#include "analysis/allocator/allocator_curve.h"

#include <algorithm>

#include "analysis/allocator/step_leaks.h"
#include "support/catch.h"
#include "support/made_allocator.h"

namespace vizd::allocator_curve_test {
namespace {

constexpr AllocatorMoment kEntries = 3000;

// By moment: allocated, active, requested, reserved bytes.
struct Sums {
  std::vector<std::int64_t> allocated, active, requested, reserved;

  explicit Sums(const Track& track) {
    const AllocatorLog& log = *track.allocator;
    for (AllocatorMoment at = 0; at <= kEntries; ++at) {
      std::uint64_t sums[4] = {};
      for (std::uint32_t i = 0; i < log.lives.size(); ++i) {
        if (log.lives.is_allocated(i, at)) sums[0] += track.allocations[i].size_bytes();
        if (log.lives.is_active(i, at)) sums[1] += track.allocations[i].size_bytes();
        if (log.lives.is_active(i, at)) sums[2] += log.lives.requested_bytes[i];
      }
      for (const AllocatorSegment& of : log.segments.span()) sums[3] += of.from <= at && at < of.to ? of.size_bytes : 0;
      std::vector<std::int64_t>* const all[] = {&allocated, &active, &requested, &reserved};
      for (int i = 0; i < 4; ++i) all[i]->push_back(static_cast<std::int64_t>(sums[i]));
    }
  }
};

void check_peak(const AllocatorCurve::Peak& peak, const std::vector<std::int64_t>& bytes, AllocatorMoment first = 0,
                AllocatorMoment last = kEntries) {
  const auto most = std::max_element(bytes.begin() + first, bytes.begin() + last + 1);
  REQUIRE(peak.bytes == *most);
  REQUIRE(peak.moment == static_cast<AllocatorMoment>(most - bytes.begin()));
}

TEST_CASE("what was allocated, and the most between any two moments, are sums over all allocations") {
  Capture capture;
  const Track& track = add_made_allocator(capture, kEntries, 1);
  const Sums sums(track);
  const AllocatorCurve curve(track);
  check_peak(curve.allocated, sums.allocated);
  check_peak(curve.active, sums.active);
  check_peak(curve.requested, sums.requested);
  check_peak(curve.reserved, sums.reserved);
  CHECK(curve.start.allocated == sums.allocated.front());
  CHECK(curve.start.requested == sums.requested.front());
  CHECK(curve.end.active == sums.active.back());
  CHECK(curve.end.reserved == sums.reserved.back());
  for (AllocatorMoment first = 0; first <= kEntries; first += 61) {
    REQUIRE(curve.allocated_at(first) == sums.allocated[first]);
    for (AllocatorMoment last = first; last <= kEntries; last += 127) {
      check_peak(curve.most_allocated(first, last), sums.allocated, first, last);
      REQUIRE(curve.most_reserved(first, last) ==
              *std::max_element(sums.reserved.begin() + first, sums.reserved.begin() + last + 1));
    }
  }
}

TEST_CASE("a stacked curve keeps the peak of each stretch, and its owners add up, also those whose sums are not kept") {
  Capture capture;
  const Track& track = add_made_allocator(capture, kEntries, 2);
  const AllocatorLog& log = *track.allocator;
  const Sums sums(track);
  const AllocatorCurve curve(track);
  const AllocationOwners owners = allocation_owners(capture, track, curve.changes(), "line");
  REQUIRE(owners.names.size() > OwnerLevels::kMostOwners);
  REQUIRE(std::ranges::is_sorted(owners.peak_bytes, std::greater()));
  std::vector<std::uint32_t> all(owners.names.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  for (const std::size_t stretches : {1u, 9u, 200u, 4000u}) {
    const std::int64_t from_ns = 1000, to_ns = 7000;
    const StackedCurve shown = stacked_curve(
        track, curve, owners, {.from_ns = from_ns, .to_ns = to_ns, .stretches = stretches, .owners = all});
    REQUIRE(shown.moments[0] == moment_at(log, from_ns - 1));
    REQUIRE(shown.moments.size() <= 2 * stretches + 2);
    REQUIRE(std::ranges::adjacent_find(shown.moments, std::greater_equal()) == shown.moments.end());
    check_peak({*std::max_element(shown.allocated_bytes.begin() + 1, shown.allocated_bytes.end()),
                shown.moments[static_cast<std::size_t>(
                    std::max_element(shown.allocated_bytes.begin() + 1, shown.allocated_bytes.end()) -
                    shown.allocated_bytes.begin())]},
               sums.allocated, shown.moments[0] + 1, moment_at(log, to_ns));
    for (std::size_t i = 0; i < shown.moments.size(); ++i) {
      REQUIRE(shown.allocated_bytes[i] == sums.allocated[shown.moments[i]]);
      for (std::uint32_t owner = 0; owner < all.size(); ++owner) {
        std::uint64_t held = 0;
        for (std::uint32_t life = 0; life < log.lives.size(); ++life) {
          if (owners.of_life[life] == owner && log.lives.is_allocated(life, shown.moments[i]))
            held += track.allocations[life].size_bytes();
        }
        if (stretches < 100 || i % 37 == 0) REQUIRE(shown.bytes_by_owner[owner][i] == held);
      }
    }
  }
  // Where a stretch holds one moment at most, nothing is left out but what is above it at the same time.
  const StackedCurve fine = stacked_curve(
      track, curve, owners, {.from_ns = 0, .to_ns = 7500, .stretches = 7500, .owners = std::span(all).first(1)});
  CHECK(fine.entries == kEntries);
  CHECK(fine.moments.back() == kEntries);
}

TEST_CASE("owners of every kind name each allocation, and hold the most that they ever had") {
  Capture capture;
  const Track& track = add_made_allocator(capture, 500, 3);
  const AllocatorLives& lives = track.allocator->lives;
  const AllocatorCurve curve(track);
  for (const std::string_view kind : allocation_owner_kinds()) {
    CAPTURE(kind);
    const AllocationOwners owners = allocation_owners(capture, track, curve.changes(), kind);
    REQUIRE(owners.of_life.size() == lives.size());
    std::vector<std::uint64_t> most(owners.names.size());
    for (AllocatorMoment at = 0; at <= 500; ++at) {
      std::vector<std::uint64_t> held(owners.names.size());
      for (std::uint32_t i = 0; i < lives.size(); ++i) {
        if (lives.is_allocated(i, at)) held[owners.of_life[i]] += track.allocations[i].size_bytes();
      }
      for (std::size_t owner = 0; owner < most.size(); ++owner) most[owner] = std::max(most[owner], held[owner]);
    }
    CHECK(owners.peak_bytes == most);
  }
  CHECK(allocation_owners(capture, track, curve.changes(), "pool").names.size() == 2);
  CHECK(allocation_owners(capture, track, curve.changes(), "metadata").names == std::vector<std::string>{"null"});
}

TEST_CASE("a leak was made in a step and is there after the next one; the first and the last step are not judged") {
  Capture capture;
  const Track& track = add_made_allocator(capture, kEntries, 4);
  const AllocatorLog& log = *track.allocator;
  const std::vector<std::int64_t> ends_ns{1000, 2500, 2600, 4000, 7000};
  const StepLeaks leaks(track, ends_ns);
  CHECK(leaks.judged() == 3);
  std::vector<std::pair<std::uint32_t, std::size_t>> found, expected;
  leaks.for_each([&](std::uint32_t life, std::size_t step) { found.emplace_back(life, step); });
  for (std::uint32_t life = 0; life < log.lives.size(); ++life) {
    for (std::size_t step = 1; step <= 3; ++step) {
      const AllocatorMoment born = log.lives.born[life], done = log.lives.done(life);
      if (born == 0 || time_of(log, born) <= ends_ns[step - 1] || time_of(log, born) > ends_ns[step]) continue;
      if (done == kNeverDone || time_of(log, done) > ends_ns[step + 1]) expected.emplace_back(life, step);
    }
  }
  CHECK(!found.empty());
  CHECK(found == expected);
  CHECK(StepLeaks(track, std::span(ends_ns).first(2)).judged() == 0);
}

}  // namespace
}  // namespace vizd::allocator_curve_test
