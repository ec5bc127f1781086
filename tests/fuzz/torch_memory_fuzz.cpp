// Reads arbitrary bytes as a memory snapshot of PyTorch, replays it, asks all that can be asked of it, and makes a
// capture of it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/assert.h"
#include "formats/torch_memory/answers/records.h"
#include "formats/torch_memory/format.h"
#include "timeline/allocator_states.h"
#include "timeline/timeline.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FormatInput input{"fuzz", {reinterpret_cast<const std::byte*>(data), size}};
  const auto file = torch_memory::MemoryFile::open(input);
  if (!file) return 0;
  std::size_t lines = 0;
  const auto take = [&](const torch_memory::Record& record) { lines += torch_memory::json_line(record).size(); };
  torch_memory::tell_summary(**file, take);
  torch_memory::tell_timeline(**file, 9, take);
  torch_memory::tell_moments(**file, std::vector<std::int64_t>{0, INT64_MAX}, take);
  torch_memory::tell_allocations(**file, take);
  torch_memory::tell_state(**file, {torch_memory::Moment::Kind::kPeak}, take);
  const auto kinds = torch_memory::owner_kinds();
  torch_memory::tell_owners(**file, {torch_memory::Moment::Kind::kEnd},
                            std::vector<std::string>(kinds.begin(), kinds.end()), take);
  torch_memory::tell_leaks(**file, "", take);
  torch_memory::tell_comparison(**file, **file, take);
  VIZD_ASSERT(lines > 0);
  Capture capture;
  VIZD_ASSERT(torch_memory::read(input, capture).has_value());
  VIZD_ASSERT(capture.profile.start_ns <= capture.profile.end_ns);
  prepare_timeline(capture, 1);
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
  }
  return 0;
}
