// The allocator at any moment, from states that are kept, against the replay that goes through all entries.
#include "timeline/allocator_states.h"

#include <map>
#include <random>

#include "base/mapped_file.h"
#include "formats/torch_memory/format.h"
#include "formats/torch_memory/replay.h"
#include "support/catch.h"
#include "support/made_snapshot.h"
#include "support/places.h"

namespace vizd::allocator_states_test {
namespace {

using torch_memory::Quantity;
using torch_memory::Replay;

// So many entries of one device, in segments that come and go and some that are expandable; frees may be missing.
std::string random_snapshot(int count, unsigned seed) {
  std::mt19937 random(seed);
  constexpr std::uint64_t kBase = std::uint64_t{1} << 40, kSegment = std::uint64_t{1} << 24;
  made_snapshot::Document entries = made_snapshot::Document::array();
  std::map<std::uint64_t, bool> is_live;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t segment = random() % 5, place = random() % 40;
    const std::uint64_t at = kBase + 2 * segment * kSegment;
    const char* const expandable[] = {"segment_map", "segment_unmap"};
    const char* const plain[] = {"segment_alloc", "segment_free"};
    const char* const usual[] = {"alloc", "alloc", "free_requested", "free_completed"};
    if (random() % 50 == 0) {
      const bool grows = segment < 2;
      const std::uint64_t part = grows ? random() % 8 << 21 : 0;
      entries.push_back(made_snapshot::entry((grows ? expandable : plain)[random() % 2], at + part,
                                             grows ? 1 << 21 : static_cast<std::int64_t>(kSegment), i));
    } else {
      const std::size_t action = random() % 4;
      const std::uint64_t address = at + place * 4096;
      // The first entry of an unknown block may only be a free: it was made before.
      const auto [known, is_first] = is_live.try_emplace(address, false);
      if (action >= 2 && !is_first && !known->second) continue;
      known->second = action < 3 && (action < 2 || known->second || is_first);
      entries.push_back(
          made_snapshot::entry(usual[action], address, 1 + static_cast<std::int64_t>(random() % 9000), i));
    }
  }
  made_snapshot::Document traces = made_snapshot::Document::array();
  traces.push_back(entries);
  made_snapshot::Document top;
  top["segments"] = made_snapshot::Document::array();
  top["device_traces"] = traces;
  return made_snapshot::pickled(top);
}

// Compares the two at every so many-th entry.
void compare(const FormatInput& input, std::int64_t every) {
  Capture capture;
  REQUIRE(torch_memory::read(input, capture));
  const auto snapshot = torch_memory::read_snapshot(input);
  REQUIRE(snapshot);
  for (const Track& track : capture.profile.tracks) {
    if (track.allocator == nullptr) continue;
    const AllocatorStates states(track);
    Replay replay(**snapshot, track.allocator->device);
    replay.run();
    REQUIRE(states.last_moment() == replay.entries());
    REQUIRE(track.allocator->lives.size() == track.allocations.size());
    replay.visit_all([&](const Replay::State& expected) {
      if (expected.moment % every != 0 && expected.moment != replay.last_moment()) return;
      const AllocatorState state = states.at(static_cast<AllocatorMoment>(expected.moment + 1));
      CAPTURE(expected.moment);
      REQUIRE(state.bytes.reserved == expected.counters[Quantity::kReserved]);
      REQUIRE(state.bytes.active == expected.counters[Quantity::kActive]);
      REQUIRE(state.bytes.requested == expected.counters[Quantity::kRequested]);
      std::vector<std::uint32_t> active;
      std::int64_t allocated = 0;  // the counter has also what was freed after something else lay over it
      expected.active.for_each([&](std::uint64_t, std::uint32_t life) {
        active.push_back(life);
        const torch_memory::Life& of = replay.lives()[life];
        if (of.is_allocated_at(expected.moment)) allocated += static_cast<std::int64_t>(of.block_bytes);
      });
      REQUIRE(state.bytes.allocated == allocated);
      REQUIRE(state.active == active);
      std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges, expected_ranges;
      expected.segments.for_each([&](const torch_memory::SegmentRange& range) {
        expected_ranges.emplace_back(range.address, range.size_bytes);
      });
      states.for_each_segment(state, [&](const AllocatorSegment& segment, const std::vector<AllocatorBlock>&) {
        ranges.emplace_back(segment.address, segment.size_bytes);
      });
      REQUIRE(ranges == expected_ranges);
    });
  }
}

TEST_CASE("the allocator's state at every entry is the replay's, from states that are kept between") {
  for (const std::string_view name : {"train/input/train", "cpp/input/cpp", "expandable/input/expandable"}) {
    const std::string path = test_data("../golden/torch_memory/" + std::string(name) + ".pickle");
    const auto bytes = MappedFile::open(path);
    REQUIRE(bytes);
    compare({.name = path, .bytes = bytes->bytes()}, 1);
  }
  const std::string made = random_snapshot(20'000, 33);
  compare({.name = "made", .bytes = std::as_bytes(std::span(made))}, 17);
}

TEST_CASE("a segment is shown with its blocks by address and what is free between them") {
  Track track;
  const auto add = [&](std::uint64_t address, std::uint64_t bytes) {
    track.allocations.push_back({.count = bytes, .item_size_bytes = 1, .address = address});
  };
  add(0x1200, 0x200), add(0x1400, 0x100);
  auto log = std::make_shared<AllocatorLog>();
  for (const AllocatorMoment born : {1u, 2u}) {
    log->lives.requested_bytes.push_back(100);
    log->lives.born.push_back(born);
    log->lives.freed.push_back(born == 1 ? 3 : kNeverDone);
    log->lives.completed.push_back(kNeverDone);
  }
  for (std::int64_t at_ns : {10, 20, 20}) log->entries.action.push_back({}), log->entries.at_ns.push_back(at_ns);
  log->segments.push_back({.address = 0x1000, .size_bytes = 0x1000});
  track.allocator = log;
  const AllocatorStates states(track);
  std::vector<std::array<std::uint64_t, 3>> blocks;
  const AllocatorState state = states.at(99);
  states.for_each_segment(state, [&](const AllocatorSegment&, const std::vector<AllocatorBlock>& all) {
    for (const AllocatorBlock& block : all) blocks.push_back({block.address, block.size_bytes, block.life});
  });
  CHECK(blocks == std::vector<std::array<std::uint64_t, 3>>{
                      {0x1000, 0x200, kNoId}, {0x1200, 0x200, 0}, {0x1400, 0x100, 1}, {0x1500, 0xB00, kNoId}});
  CHECK(state.moment == 3);
  CHECK(state.bytes.allocated == 0x100);
  CHECK(state.bytes.active == 0x300);
  CHECK(state.bytes.requested == 200);
  CHECK(states.moment_at(9) == 0);
  CHECK(states.moment_at(20) == 3);
  CHECK(states.at(1).active.size() == 1);
}

}  // namespace
}  // namespace vizd::allocator_states_test
