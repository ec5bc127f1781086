// Reads arbitrary bytes as a memory snapshot of PyTorch, replays it, asks all that can be asked of it, and makes a
// capture of it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/allocator/allocator_curve.h"
#include "analysis/allocator/out_of_memory.h"
#include "analysis/allocator/step_leaks.h"
#include "base/assert.h"
#include "cli/memory/memory_report.h"
#include "cli/memory/state_records.h"
#include "formats/torch_memory/format.h"
#include "formats/torch_memory/tracks.h"
#include "reference/torch_memory/records.h"
#include "timeline/allocator_states.h"
#include "timeline/timeline.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FormatInput input{"fuzz", {reinterpret_cast<const std::byte*>(data), size}};
  if (auto first = torch_memory::read_first_entries(input, 1)) {
    torch_memory::MemoryFile so_far(std::move(*first), torch_memory::MemoryFile::Run::kLater);
    Capture beginning;
    torch_memory::add_first_curves(so_far, beginning);
  }
  const auto file = torch_memory::MemoryFile::open(input);
  if (!file) return 0;
  std::size_t lines = 0;
  const auto take = [&](const torch_memory::Record& record) { lines += torch_memory::json_line(record).size(); };
  torch_memory::tell_summary(**file, take);
  torch_memory::tell_allocations(**file, take);
  VIZD_ASSERT(lines > 0);
  Capture capture;
  VIZD_ASSERT(torch_memory::read(input, capture).has_value());
  VIZD_ASSERT(capture.profile.start_ns <= capture.profile.end_ns);
  prepare_timeline(capture, 1);
  tell_timeline(capture, 9, take);
  tell_moments(capture, std::vector<std::int64_t>{INT64_MIN, 0, INT64_MAX}, take);
  tell_state(capture, {StateMoment::Kind::kPeak}, take);
  VIZD_ASSERT(!memory_report(capture, "fuzz").empty());
  for (const Track& track : capture.profile.tracks) {
    if (track.allocator == nullptr) continue;
    const AllocatorStates states(track);
    std::int64_t shown = 0;
    for (const AllocatorMoment moment : {AllocatorMoment{0}, states.last_moment() / 2, states.last_moment()}) {
      const AllocatorState state = states.at(moment);
      states.for_each_segment(state, [&](const AllocatorSegment& segment, const std::vector<AllocatorBlock>&) {
        shown += static_cast<std::int64_t>(segment.size_bytes);
      });
      shown -= state.bytes.reserved;
    }
    VIZD_ASSERT(shown == 0);
    const AllocatorCurve curve(track);
    for (const std::string_view kind : allocation_owner_kinds()) {
      const AllocationOwners owners = allocation_owners(capture, track, curve.changes(), kind);
      VIZD_ASSERT(owners.of_life.size() == track.allocator->lives.size());
    }
    for (const AllocatorMoment moment : moments_out_of_memory(*track.allocator)) {
      const OutOfMemory oom = out_of_memory(track, states, moment);
      find_obstacles(states, states.at(moment), oom.asked_bytes);
    }
    const StepLeaks leaks(track, NamedRanges(capture, track.allocator->device).ends(""));
    leaks.for_each([&](std::uint32_t, std::size_t step) { VIZD_ASSERT(step <= leaks.judged()); });
  }
  return 0;
}
