#include "analysis/allocator/out_of_memory.h"

namespace vizd {
namespace {

bool has_device_room(std::uint64_t asked_bytes, std::uint64_t device_free_bytes) {
  // A segment may be larger than what is asked for, and the driver keeps some of the memory for itself.
  constexpr std::uint64_t kRoom_bytes = std::uint64_t{1} << 30;
  const bool is_told = device_free_bytes != Allocation::kNoAddress;
  return is_told && device_free_bytes >= kRoom_bytes && device_free_bytes - kRoom_bytes >= asked_bytes;
}

}  // namespace

std::vector<AllocatorMoment> moments_out_of_memory(const AllocatorLog& log) {
  std::vector<AllocatorMoment> moments;
  const auto actions = log.entries.action.span();
  for (std::size_t entry = 0; entry < actions.size(); ++entry) {
    if (actions[entry] == AllocatorAction::kOom) moments.push_back(static_cast<AllocatorMoment>(entry + 1));
  }
  return moments;
}

OomReason oom_reason(std::uint64_t asked_bytes, std::uint64_t inactive_bytes, std::uint64_t largest_free_bytes,
                     std::uint64_t device_free_bytes) {
  if (largest_free_bytes >= asked_bytes) return OomReason::kOtherPool;
  if (inactive_bytes >= asked_bytes) return OomReason::kFragmented;
  return has_device_room(asked_bytes, device_free_bytes) ? OomReason::kLimit : OomReason::kTooMuch;
}

OutOfMemory out_of_memory(const Track& track, const AllocatorStates& states, AllocatorMoment moment) {
  const AllocatorEntries& entries = track.allocator->entries;
  const AllocatorState state = states.at(moment);
  OutOfMemory oom{.moment = moment,
                  .asked_bytes = entries.size_bytes[moment - 1],
                  .device_free_bytes = {},
                  .bytes = state.bytes,
                  .shape = allocator_shape(track, states, state)};
  const std::uint64_t device_free = entries.address[moment - 1];
  if (device_free != Allocation::kNoAddress) oom.device_free_bytes = device_free;
  oom.is_limited = has_device_room(oom.asked_bytes, device_free);
  oom.reason = oom_reason(oom.asked_bytes, oom.shape.inactive_bytes, oom.shape.largest_free_bytes, device_free);
  return oom;
}

std::string_view oom_reason_text(OomReason reason) {
  switch (reason) {
    case OomReason::kFragmented:
      return "fragmented";
    case OomReason::kOtherPool:
      return "a free piece was large enough, but of another pool or stream";
    case OomReason::kLimit:
      return "refused, though the device has room: a limit of the process";
    case OomReason::kTooMuch:
      break;
  }
  return "too much";
}

std::optional<Obstacles> find_obstacles(const AllocatorStates& states, const AllocatorState& state,
                                        std::uint64_t asked_bytes) {
  std::optional<Obstacles> best;
  states.for_each_segment(state, [&](const AllocatorSegment& segment, const std::vector<AllocatorBlock>& blocks) {
    if (segment.size_bytes < asked_bytes) return;
    // Stretches of whole blocks, each as short as it may be: the end moves on, and the begin follows.
    std::uint64_t bytes = 0, alive_bytes = 0;
    std::size_t begin = 0;
    for (std::size_t end = 0; end < blocks.size(); ++end) {
      bytes += blocks[end].size_bytes;
      if (blocks[end].life != kNoId) alive_bytes += blocks[end].size_bytes;
      for (; begin < end && bytes - blocks[begin].size_bytes >= asked_bytes; ++begin) {
        bytes -= blocks[begin].size_bytes;
        if (blocks[begin].life != kNoId) alive_bytes -= blocks[begin].size_bytes;
      }
      if (bytes < asked_bytes || (best && alive_bytes >= best->alive_bytes)) continue;
      best = Obstacles{.address = blocks[begin].address, .size_bytes = bytes, .alive_bytes = alive_bytes, .lives = {}};
      for (std::size_t i = begin; i <= end; ++i) {
        if (blocks[i].life != kNoId) best->lives.push_back(blocks[i].life);
      }
    }
  });
  return best;
}

}  // namespace vizd
