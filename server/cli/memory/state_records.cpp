#include "cli/memory/state_records.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "analysis/allocator/allocator_curve.h"
#include "analysis/allocator/allocator_shape.h"
#include "analysis/allocator/owners.h"
#include "base/whole_number.h"

namespace vizd {
namespace {

using torch_memory::Json;
using torch_memory::Record;
using torch_memory::TakeRecord;
using torch_memory::Value;

template <typename Tell>
void for_each_allocator(const Capture& capture, Tell&& tell) {
  for (const Track& track : capture.profile.tracks) {
    if (track.allocator != nullptr) tell(track, AllocatorStates(track));
  }
}

// As records count: by the last entry that is done, -1 before the first.
std::int64_t entry_of(AllocatorMoment moment) { return std::int64_t{moment} - 1; }

Value unix_time_of(const Capture& capture, const AllocatorLog& log, AllocatorMoment moment) {
  if (moment == 0 || !log.has_times) return {};
  return time_of(log, moment) + capture.profile.clock.unix_offset_ns.value_or(0);
}

void add_bytes(Record& record, const AllocatorBytes& bytes) {
  record.push_back({"reserved_bytes", bytes.reserved});
  record.push_back({"allocated_bytes", bytes.allocated});
  record.push_back({"active_bytes", bytes.active});
  record.push_back({"requested_bytes", bytes.requested});
}

std::set<AllocatorMoment> spread_moments(std::int64_t entries, std::size_t points) {
  std::set<AllocatorMoment> chosen;
  if (entries == 0) chosen.insert(0);
  const std::int64_t last = entries - 1, steps = static_cast<std::int64_t>(std::max<std::size_t>(2, points)) - 1;
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(points) && entries > 0; ++k)
    chosen.insert(static_cast<AllocatorMoment>(last / steps * k + last % steps * k / steps + 1));
  return chosen;
}

std::string_view state_name(const AllocatorLives& lives, const AllocatorBlock& block, AllocatorMoment moment) {
  if (block.life == kNoId) return "inactive";
  return lives.is_allocated(block.life, moment) ? "active_allocated" : "active_pending_free";
}

void tell_segment(const AllocatorLog& log, AllocatorMoment moment, const AllocatorSegment& segment,
                  const std::vector<AllocatorBlock>& blocks, const TakeRecord& take) {
  std::uint64_t allocated = 0, active = 0, requested = 0;
  for (const AllocatorBlock& block : blocks) {
    if (block.life == kNoId) continue;
    active += block.size_bytes;
    requested += log.lives.requested_bytes[block.life];
    if (log.lives.is_allocated(block.life, moment)) allocated += block.size_bytes;
  }
  const AllocatorPool& pool = log.pools[segment.pool];
  take({{"record", "segment"},
        {"device", log.device},
        {"address", segment.address},
        {"size", segment.size_bytes},
        {"stream", Json{stream_json(pool)}},
        {"pool", Json{pool_json(pool)}},
        {"expandable", segment.is_expandable},
        {"blocks", static_cast<std::uint64_t>(blocks.size())},
        {"allocated_bytes", allocated},
        {"active_bytes", active},
        {"requested_bytes", requested}});
  for (const AllocatorBlock& block : blocks) {
    const bool is_free = block.life == kNoId;
    const bool is_born = !is_free && log.lives.born[block.life] != 0;
    take({{"record", "block"},
          {"device", log.device},
          {"address", block.address},
          {"size", block.size_bytes},
          {"state", std::string(state_name(log.lives, block, moment))},
          {"requested_bytes", is_free ? Value() : Value(log.lives.requested_bytes[block.life])},
          {"born_event", is_born ? Value(entry_of(log.lives.born[block.life])) : Value()},
          {"segment", segment.address}});
  }
}

}  // namespace

std::optional<StateMoment> StateMoment::parse(std::string_view text) {
  if (text == "end") return StateMoment{Kind::kEnd};
  if (text == "peak") return StateMoment{Kind::kPeak};
  const auto entry = whole_number(text);
  return entry && *entry >= -1 ? std::optional(StateMoment{Kind::kEntry, *entry}) : std::nullopt;
}

void tell_timeline(const Capture& capture, std::size_t points, const TakeRecord& take) {
  for_each_allocator(capture, [&](const Track& track, const AllocatorStates& states) {
    const AllocatorLog& log = *track.allocator;
    for (const AllocatorMoment moment : spread_moments(std::int64_t{states.last_moment()}, points)) {
      const AllocatorState state = states.at(moment);
      const AllocatorShape shape = allocator_shape(track, states, state);
      Record record{
          {"device", log.device}, {"event", entry_of(moment)}, {"time_ns", unix_time_of(capture, log, moment)}};
      add_bytes(record, state.bytes);
      record.push_back({"live", static_cast<std::uint64_t>(state.active.size())});
      record.push_back({"segments", shape.segments});
      record.push_back({"free_blocks", shape.free_blocks});
      record.push_back({"largest_free_bytes", shape.largest_free_bytes});
      take(record);
    }
  });
}

void tell_moments(const Capture& capture, std::span<const std::int64_t> times_ns, const TakeRecord& take) {
  const std::int64_t offset_ns = capture.profile.clock.unix_offset_ns.value_or(0);
  for_each_allocator(capture, [&](const Track& track, const AllocatorStates& states) {
    const AllocatorLog& log = *track.allocator;
    for (const std::int64_t time_ns : times_ns) {
      std::int64_t at_ns = 0;
      if (__builtin_sub_overflow(time_ns, offset_ns, &at_ns)) at_ns = time_ns < 0 ? INT64_MIN : INT64_MAX;
      const AllocatorMoment moment = log.has_times ? states.moment_at(at_ns) : 0;
      Record record{{"device", log.device}, {"at_ns", time_ns}, {"event", entry_of(moment)}};
      add_bytes(record, states.at(moment).bytes);
      take(record);
    }
  });
}

void tell_state(const Capture& capture, const StateMoment& asked, const TakeRecord& take) {
  for_each_allocator(capture, [&](const Track& track, const AllocatorStates& states) {
    const std::int64_t last = states.last_moment();
    const std::int64_t moment = asked.kind == StateMoment::Kind::kEnd    ? last
                                : asked.kind == StateMoment::Kind::kPeak ? AllocatorCurve(track).allocated.moment
                                                                         : std::min(asked.entry, last - 1) + 1;
    const AllocatorState state = states.at(static_cast<AllocatorMoment>(moment));
    states.for_each_segment(state, [&](const AllocatorSegment& segment, const std::vector<AllocatorBlock>& blocks) {
      tell_segment(*track.allocator, state.moment, segment, blocks, take);
    });
  });
}

}  // namespace vizd
