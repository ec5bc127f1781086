#include <algorithm>
#include <map>
#include <set>

#include "base/json_writer.h"
#include "reference/torch_memory/records.h"
#include "reference/torch_memory/replayed_shape.h"

namespace vizd::torch_memory {
namespace {

// Frames and stacks that anything refers to.
struct StackCounts {
  std::uint64_t frames = 0, stacks = 0;

  explicit StackCounts(const Snapshot& snapshot) {
    std::vector<bool> has_stack(snapshot.stacks.size()), has_frame(snapshot.frames.size());
    const auto use = [&](std::uint32_t stack) {
      if (stack == 0 || has_stack[stack]) return;
      has_stack[stack] = true;
      ++stacks;
      for (const std::uint32_t frame : snapshot.stacks.get(stack)) {
        frames += !has_frame[frame];
        has_frame[frame] = true;
      }
    };
    for (const std::uint32_t stack : snapshot.entries.stack) use(stack);
    for (const Segment& segment : snapshot.segments) use(segment.stack);
    for (const Block& block : snapshot.blocks) use(block.stack);
  }
};

Value counted_value(std::uint64_t count) { return count; }

Record file_record(const Snapshot& snapshot) {
  const StackCounts counts(snapshot);
  std::string unknown;
  JsonWriter json(unknown);
  json.begin_array();
  for (const std::string& key : snapshot.unknown_keys) json.text(key);
  json.end_array();
  return {{"record", "file"},
          {"protocol", std::int64_t{snapshot.protocol}},
          {"device_traces", counted_value(snapshot.traces.size())},
          {"segments", counted_value(snapshot.segments.size())},
          {"blocks", counted_value(snapshot.blocks.size())},
          {"events", counted_value(snapshot.entries.size())},
          {"annotations", counted_value(snapshot.annotations.size())},
          {"frames", counted_value(counts.frames)},
          {"stacks", counted_value(counts.stacks)},
          {"has_times", snapshot.has_times},
          {"has_pools", snapshot.has_pools},
          {"unknown_keys", Json{unknown}}};
}

constexpr std::string_view kStartFields[] = {"start_reserved_bytes", "start_allocated_bytes", "start_active_bytes",
                                             "start_requested_bytes"};
constexpr std::string_view kEndFields[] = {"end_reserved_bytes", "end_allocated_bytes", "end_active_bytes",
                                           "end_requested_bytes"};
constexpr std::string_view kPeakFields[] = {"peak_reserved_bytes", "peak_allocated_bytes", "peak_active_bytes",
                                            "peak_requested_bytes"};
constexpr std::string_view kPeakEvents[] = {"peak_reserved_event", "peak_allocated_event", "peak_active_event",
                                            "peak_requested_event"};
constexpr std::string_view kPeakTimes[] = {"peak_reserved_ns", "peak_allocated_ns", "peak_active_ns",
                                           "peak_requested_ns"};

std::vector<std::int64_t> oom_entries(const Replay& replay) {
  std::vector<std::int64_t> found;
  for (std::int64_t entry = 0; entry < replay.entries(); ++entry) {
    if (replay.action(entry) == Action::kOom) found.push_back(entry);
  }
  return found;
}

Record device_record(const Replay& replay) {
  Record record{{"record", "device"},
                {"device", replay.device()},
                {"events", replay.entries()},
                {"first_ns", MemoryFile::time(replay.time_ns(0))},
                {"last_ns", MemoryFile::time(replay.time_ns(replay.last_moment()))}};
  for (std::size_t i = 0; i < kCounters; ++i) {
    const std::int64_t peak = replay.peak_moment(static_cast<Quantity>(i));
    record.push_back({kStartFields[i], replay.start().bytes[i]});
    record.push_back({kEndFields[i], replay.end().bytes[i]});
    record.push_back({kPeakFields[i], replay.peak().bytes[i]});
    record.push_back({kPeakEvents[i], peak});
    record.push_back({kPeakTimes[i], MemoryFile::time(replay.time_ns(peak))});
  }
  const auto lives = [&](auto&& holds) {
    return counted_value(static_cast<std::uint64_t>(std::ranges::count_if(replay.lives(), holds)));
  };
  const std::int64_t last = replay.last_moment();
  record.push_back({"allocations", counted_value(replay.lives().size())});
  record.push_back({"allocations_before", counted_value(replay.lives_before())});
  record.push_back({"live_at_end", lives([&](const Life& life) { return life.is_allocated_at(last); })});
  record.push_back({"without_stack", lives([](const Life& life) { return life.stack == 0; })});
  record.push_back({"lost", replay.lost()});
  record.push_back({"not_in_snapshot", replay.not_in_snapshot()});
  record.push_back({"outside_segments", replay.outside_segments()});
  record.push_back({"strange_segment_events", replay.strange_segment_events()});
  record.push_back({"mismatched_blocks", replay.mismatched_blocks()});
  record.push_back({"replay_exact", replay.is_exact()});
  record.push_back({"ooms", counted_value(oom_entries(replay).size())});
  return record;
}

void tell_actions(const Replay& replay, const TakeRecord& take) {
  struct Sum {
    std::uint64_t events = 0, bytes = 0;
  };
  const Snapshot& snapshot = replay.snapshot();
  std::vector<Sum> sums(snapshot.actions.size());
  for (std::int64_t entry = 0; entry < replay.entries(); ++entry) {
    Sum& sum = sums[static_cast<std::size_t>(replay.action(entry))];
    ++sum.events;
    sum.bytes += snapshot.entries.size_bytes[replay.row(entry)];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].events == 0) continue;
    take({{"record", "action"},
          {"device", replay.device()},
          {"action", std::string(snapshot.strings.get(snapshot.actions[i]))},
          {"events", sums[i].events},
          {"bytes", sums[i].bytes}});
  }
}

void tell_pools(const MemoryFile& file, const Replay& replay, const TakeRecord& take) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> reserved;  // at the end, by pool and stream
  replay.segments_at_end().for_each([&](const SegmentRange& segment) {
    reserved[{segment.pool, segment.stream}] += static_cast<std::int64_t>(segment.size_bytes);
  });
  for (const Life& life : replay.lives()) reserved.try_emplace({life.pool, life.stream}, 0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, const PoolBytes*> known;
  for (const PoolBytes& bytes : replay.pools()) known[{bytes.pool, bytes.stream}] = &bytes;
  for (const auto& [place, end_reserved] : reserved) {
    static constexpr PoolBytes kNothing{};
    const auto found = known.find(place);
    const PoolBytes& bytes = found == known.end() ? kNothing : *found->second;
    Record record{{"record", "pool"},
                  {"device", replay.device()},
                  {"pool", file.pool(place.first)},
                  {"stream", file.stream(place.second)},
                  {"end_reserved_bytes", end_reserved},
                  {"peak_reserved_bytes", replay.knows_reserved_by_pool() ? Value(bytes.peak.bytes[0]) : Value()}};
    for (std::size_t i = 1; i < kCounters; ++i) {
      record.push_back({kEndFields[i], bytes.now.bytes[i]});
      record.push_back({kPeakFields[i], bytes.peak.bytes[i]});
    }
    take(record);
  }
}

void tell_fragmentation(const Replay::State& state, std::string_view moment, const TakeRecord& take) {
  const AllocatorShape shape = shape_of(state);
  Record record{{"record", "fragmentation"},
                {"device", state.replay.device()},
                {"moment", std::string(moment)},
                {"event", state.moment}};
  add_counters(record, state.counters);
  record.push_back({"segments", shape.segments});
  record.push_back({"segments_wholly_free", shape.segments_wholly_free});
  record.push_back({"inactive_bytes", shape.inactive_bytes});
  record.push_back({"free_blocks", shape.free_blocks});
  record.push_back({"largest_free_bytes", shape.largest_free_bytes});
  record.push_back({"releasable_bytes", shape.releasable_bytes});
  record.push_back({"internal_bytes", shape.internal_bytes});
  record.push_back({"pending_bytes", shape.pending_bytes});
  take(record);
}

void tell_oom(const MemoryFile& file, const Replay::State& state, const TakeRecord& take) {
  const Replay& replay = state.replay;
  const Entries& entries = file.snapshot().entries;
  const std::uint32_t row = replay.row(state.moment);
  const AllocatorShape shape = shape_of(state);
  Record record{{"record", "oom"},
                {"device", replay.device()},
                {"event", state.moment},
                {"time_ns", MemoryFile::time(replay.time_ns(state.moment))},
                {"asked_bytes", entries.size_bytes[row]},
                {"device_free_bytes", entries.has(row, Entries::kHasAddress) ? Value(entries.address[row]) : Value()},
                {"stream", file.stream(entries.stream[row])},
                {"pool", file.pool(entries.pool[row])}};
  add_counters(record, state.counters);
  record.push_back({"inactive_bytes", shape.inactive_bytes});
  record.push_back({"largest_free_bytes", shape.largest_free_bytes});
  take(record);
}

}  // namespace

void tell_summary(MemoryFile& file, const TakeRecord& take) {
  take(file_record(file.snapshot()));
  for (const auto& replay : file.replays()) {
    take(device_record(*replay));
    tell_actions(*replay, take);
    tell_pools(file, *replay, take);
    const std::int64_t last = replay->last_moment(), peak = replay->peak_moment(Quantity::kAllocated);
    std::set<std::int64_t> moments{last, peak};
    for (const std::int64_t entry : oom_entries(*replay)) moments.insert(entry);
    const std::vector<std::int64_t> in_order(moments.begin(), moments.end());
    replay->run(in_order, [&](const Replay::State& state) {
      if (state.moment == last) tell_fragmentation(state, "end", take);
      if (state.moment == peak) tell_fragmentation(state, "peak", take);
      if (state.moment >= 0 && replay->action(state.moment) == Action::kOom) tell_oom(file, state, take);
    });
  }
  for (const NamedRange& range : file.ranges()) {
    take({{"record", "annotation"},
          {"device", range.device ? Value(*range.device) : Value()},
          {"name", std::string(range.name)},
          {"start_ns", range.start_ns},
          {"end_ns", range.end_ns ? Value(*range.end_ns) : Value()}});
  }
}

}  // namespace vizd::torch_memory
