// Answers by time, by allocation and by address.
#include <algorithm>
#include <set>

#include "reference/torch_memory/records.h"
#include "reference/torch_memory/replayed_shape.h"

namespace vizd::torch_memory {
namespace {

Value entry_or_nothing(std::int64_t entry) { return entry == kNever ? Value() : Value(entry); }

Record life_record(const MemoryFile& file, const Replay& replay, const Life& life) {
  const StackWords& words = file.words();
  const std::int64_t freed = life.was_asked ? kBeforeFirst : life.freed;
  const EntryWords& said = file.snapshot().words[life.words];
  const StackWords::Words& of = words.of(life.stack);
  return {{"device", replay.device()},
          {"born_event", life.is_born() ? Value(life.born) : Value()},
          {"address", life.address},
          {"requested_bytes", life.requested_bytes},
          {"block_bytes", life.block_bytes},
          {"stream", file.stream(life.stream)},
          {"pool", file.pool(life.pool)},
          {"born_ns", MemoryFile::time(replay.time_ns(life.born))},
          {"freed_event", entry_or_nothing(freed)},
          {"freed_ns", MemoryFile::time(replay.time_ns(freed))},
          {"completed_event", entry_or_nothing(life.completed)},
          {"completed_ns", MemoryFile::time(replay.time_ns(life.completed))},
          {"end", life.is_lost ? Value("lost") : Value()},
          {"frame", text_or_nothing(words.user_frame(life.stack))},
          {"operator", of.operator_name.empty() ? Value() : Value(std::string(of.operator_name))},
          {"phase", of.phase == Phase::kNone ? Value() : Value(std::string(phase_name(of.phase)))},
          {"stack_depth", static_cast<std::uint64_t>(file.snapshot().stacks.get(life.stack).size())},
          {"compile_context", file.text(said.compile_context)},
          {"user_metadata", file.text(said.user_metadata)}};
}

std::string_view state_name(const Life* life, std::int64_t moment) {
  if (life == nullptr) return "inactive";
  return life->is_asked_at(moment) ? "active_pending_free" : "active_allocated";
}

void tell_segment(const MemoryFile& file, const Replay::State& state, const SegmentRange& segment,
                  const std::vector<ShownBlock>& blocks, const TakeRecord& take) {
  const std::int64_t device = state.replay.device();
  std::uint64_t allocated = 0, active = 0, requested = 0;
  for (const ShownBlock& block : blocks) {
    if (block.life == nullptr) continue;
    active += block.size_bytes;
    requested += block.life->requested_bytes;
    if (!block.life->is_asked_at(state.moment)) allocated += block.size_bytes;
  }
  take({{"record", "segment"},
        {"device", device},
        {"address", segment.address},
        {"size", segment.size_bytes},
        {"stream", file.stream(segment.stream)},
        {"pool", file.pool(state.replay.pool_of(segment))},
        {"expandable", segment.is_expandable},
        {"blocks", static_cast<std::uint64_t>(blocks.size())},
        {"allocated_bytes", allocated},
        {"active_bytes", active},
        {"requested_bytes", requested}});
  for (const ShownBlock& block : blocks) {
    take({{"record", "block"},
          {"device", device},
          {"address", block.address},
          {"size", block.size_bytes},
          {"state", std::string(state_name(block.life, state.moment))},
          {"requested_bytes", block.life == nullptr ? Value() : Value(block.life->requested_bytes)},
          {"born_event", block.life == nullptr || !block.life->is_born() ? Value() : Value(block.life->born)},
          {"segment", segment.address}});
  }
}

}  // namespace

void tell_timeline(MemoryFile& file, std::size_t points, const TakeRecord& take) {
  for (const auto& replay : file.replays()) {
    std::set<std::int64_t> chosen;
    const std::int64_t last = replay->last_moment();
    for (std::size_t k = 0; k < points; ++k) {
      const auto place = static_cast<std::int64_t>(k),
                 steps = static_cast<std::int64_t>(std::max<std::size_t>(2, points)) - 1;
      chosen.insert(last < 0 ? kBeforeFirst : last / steps * place + last % steps * place / steps);
    }
    const std::vector<std::int64_t> moments(chosen.begin(), chosen.end());
    std::vector<std::int64_t> live(moments.size() + 1);  // differences, by moment
    for (const Life& life : replay->lives()) {
      const auto first = std::ranges::lower_bound(moments, life.born) - moments.begin();
      const auto end = std::ranges::lower_bound(moments, life.completed) - moments.begin();
      if (first >= end) continue;
      ++live[static_cast<std::size_t>(first)];
      --live[static_cast<std::size_t>(end)];
    }
    std::size_t next = 0;
    std::int64_t now = 0;
    replay->run(moments, [&](const Replay::State& state) {
      now += live[next++];
      const AllocatorShape shape = shape_of(state);
      Record record{{"device", replay->device()},
                    {"event", state.moment},
                    {"time_ns", MemoryFile::time(replay->time_ns(state.moment))}};
      add_counters(record, state.counters);
      record.push_back({"live", now});
      record.push_back({"segments", shape.segments});
      record.push_back({"free_blocks", shape.free_blocks});
      record.push_back({"largest_free_bytes", shape.largest_free_bytes});
      take(record);
    });
  }
}

void tell_moments(MemoryFile& file, std::span<const std::int64_t> times_ns, const TakeRecord& take) {
  for (const auto& replay : file.replays()) {
    // The last entry at or before each time, which entries in any order may be.
    std::vector<std::pair<std::int64_t, std::int64_t>> latest;  // times, ascending, and the last entry up to each
    for (std::int64_t entry = 0; entry < replay->entries(); ++entry) {
      const std::int64_t time_ns = replay->time_ns(entry);
      if (time_ns == kNoTime) continue;
      while (!latest.empty() && latest.back().first >= time_ns) latest.pop_back();
      latest.emplace_back(time_ns, entry);
    }
    const auto entry_at = [&](std::int64_t time_ns) {
      const auto after = std::ranges::upper_bound(latest, time_ns, {}, [](const auto& pair) { return pair.first; });
      return after == latest.begin() ? kBeforeFirst : std::prev(after)->second;
    };
    std::set<std::int64_t> chosen;
    for (const std::int64_t time_ns : times_ns) chosen.insert(entry_at(time_ns));
    const std::vector<std::int64_t> moments(chosen.begin(), chosen.end());
    std::vector<Counters> counters;
    replay->run(moments, [&](const Replay::State& state) { counters.push_back(state.counters); });
    for (const std::int64_t time_ns : times_ns) {
      const std::int64_t entry = entry_at(time_ns);
      const auto place = std::ranges::lower_bound(moments, entry) - moments.begin();
      Record record{{"device", replay->device()}, {"at_ns", time_ns}, {"event", entry}};
      add_counters(record, counters[static_cast<std::size_t>(place)]);
      take(record);
    }
  }
}

void tell_allocations(const MemoryFile& file, const TakeRecord& take) {
  for (const auto& replay : file.replays()) {
    for (const Life& life : replay->lives()) take(life_record(file, *replay, life));
  }
}

std::int64_t Moment::of(const Replay& replay) const {
  if (kind == Kind::kPeak) return replay.peak_moment(Quantity::kAllocated);
  return kind == Kind::kEnd ? replay.last_moment() : std::min(entry, replay.last_moment());
}

void tell_state(MemoryFile& file, const Moment& moment, const TakeRecord& take) {
  for (const auto& replay : file.replays()) {
    replay->visit(moment.of(*replay), [&](const Replay::State& state) {
      for_each_segment(state, [&](const SegmentRange& segment, const std::vector<ShownBlock>& blocks) {
        tell_segment(file, state, segment, blocks, take);
      });
    });
  }
}

}  // namespace vizd::torch_memory
