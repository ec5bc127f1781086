// A part of an allocator's log: at each moment of it the memory is as it was in the whole.
#include "analysis/devices/cut.h"
#include "base/mapped_file.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/places.h"
#include "timeline/allocator_states.h"

namespace vizd::cut_allocator_test {
namespace {

using Blocks = std::vector<std::tuple<std::uint64_t, std::uint64_t, bool>>;

Blocks blocks_at(const AllocatorStates& states, AllocatorMoment moment) {
  Blocks all;
  states.for_each_segment(states.at(moment), [&](const AllocatorSegment&, const std::vector<AllocatorBlock>& blocks) {
    for (const AllocatorBlock& block : blocks) all.emplace_back(block.address, block.size_bytes, block.life == kNoId);
  });
  return all;
}

TEST_CASE("of an allocator's log that is cut the state at each entry stays") {
  const std::string path = test_data("../golden/torch_memory/train/input/train.pickle");
  const auto file = MappedFile::open(path);
  REQUIRE(file);
  Capture whole, part;
  REQUIRE(read_capture({.name = path, .bytes = file->bytes()}, whole));
  REQUIRE(read_capture({.name = path, .bytes = file->bytes()}, part));
  const AllocatorStates before(whole.profile.tracks[0]);
  const std::int64_t from_ns = 20'000, to_ns = 60'000;
  cut_profile(part, {{.from_ns = from_ns, .to_ns = to_ns}});
  REQUIRE(part.profile.tracks[0].allocator != nullptr);
  const AllocatorLog& log = *part.profile.tracks[0].allocator;
  REQUIRE(log.entries.size() > 5);
  REQUIRE(log.lives.size() == part.profile.tracks[0].allocations.size());
  const AllocatorStates after(part.profile.tracks[0]);
  const AllocatorMoment first = before.moment_at(from_ns - 1);
  for (AllocatorMoment moment = 1; moment <= after.last_moment(); ++moment) {
    CAPTURE(moment);
    CHECK(log.entries.at_ns[moment - 1] >= from_ns);
    CHECK(log.entries.at_ns[moment - 1] <= to_ns);
    CHECK(blocks_at(after, moment) == blocks_at(before, first + moment));
  }
}

TEST_CASE("a step of a snapshot has the memory of its time") {
  const std::string path = test_data("../golden/torch_memory/train/input/train.pickle");
  const auto file = MappedFile::open(path);
  REQUIRE(file);
  Capture by_step, by_time;
  REQUIRE(read_capture({.name = path, .bytes = file->bytes()}, by_step));
  REQUIRE(read_capture({.name = path, .bytes = file->bytes()}, by_time));
  REQUIRE_FALSE(by_step.profile.runs.empty());
  const Run step = by_step.profile.runs.back();
  cut_profile(by_step, cut_ranges(by_step, {.step = step.number}));
  cut_profile(by_time, {{.from_ns = step.from_ns, .to_ns = step.to_ns}});
  const Track& of_step = by_step.profile.tracks[0];
  const Track& of_time = by_time.profile.tracks[0];
  CHECK_FALSE(of_step.allocations.empty());
  CHECK(of_step.allocations.size() == of_time.allocations.size());
  REQUIRE(of_step.allocator != nullptr);
  CHECK(of_step.allocator->entries.size() > 0);
  CHECK(of_step.allocator->entries.size() == of_time.allocator->entries.size());
}

}  // namespace
}  // namespace vizd::cut_allocator_test
