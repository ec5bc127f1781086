#include "formats/torch_memory/log_maker.h"

#include <map>
#include <tuple>

#include "formats/torch_memory/block_size.h"

namespace vizd::torch_memory {
namespace {

static_assert(static_cast<int>(AllocatorAction::kOther) == static_cast<int>(Action::kOther));

// Entries are numbered from 0, moments count those that are done.
AllocatorMoment moment_of(std::int64_t entry) {
  return entry == kNever ? kNeverDone : static_cast<AllocatorMoment>(entry + 1);
}

class Pools {
 public:
  Pools(const Snapshot& snapshot, std::vector<AllocatorPool>& pools) : snapshot_(snapshot), pools_(pools) {}

  std::uint32_t of(std::uint32_t pool, std::uint32_t stream) {
    const auto [place, is_new] = places_.try_emplace({pool, stream}, static_cast<std::uint32_t>(pools_.size()));
    if (is_new) {
      const Stream& of = snapshot_.streams[stream];
      AllocatorPool& made = pools_.emplace_back();
      made.stream = of.magnitude;
      made.is_stream_negative = of.is_negative;
      made.is_known = pool != kNoPool;
      if (made.is_known) made.first = snapshot_.pools[pool].first, made.second = snapshot_.pools[pool].second;
    }
    return place->second;
  }

 private:
  const Snapshot& snapshot_;
  std::vector<AllocatorPool>& pools_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> places_;
};

template <typename T, typename ValueOf>
Column<T> column_of(std::span<const Life> lives, ValueOf&& value_of) {
  LargeVector<T> values;
  values.reserve(lives.size());
  for (const Life& life : lives) values.push_back(value_of(life));
  return Column<T>(std::move(values));
}

void add_lives(const Replay& replay, Sites& sites, Pools& pools, AllocatorLives& out) {
  const auto lives = replay.lives();
  out.requested_bytes = column_of<std::uint64_t>(lives, [](const Life& life) { return life.requested_bytes; });
  out.born = column_of<AllocatorMoment>(lives, [](const Life& life) { return moment_of(life.born); });
  out.freed =
      column_of<AllocatorMoment>(lives, [](const Life& life) { return life.was_asked ? 0 : moment_of(life.freed); });
  out.completed = column_of<AllocatorMoment>(lives, [](const Life& life) { return moment_of(life.completed); });
  out.pool = column_of<std::uint32_t>(lives, [&](const Life& life) { return pools.of(life.pool, life.stream); });
  out.site = column_of<std::uint32_t>(lives, [&](const Life& life) { return sites.of(life); });
  out.flags = column_of<std::uint8_t>(
      lives, [](const Life& life) { return life.is_lost ? AllocatorLives::kLost : std::uint8_t{0}; });
}

void add_segments(const Replay& replay, Pools& pools, Column<AllocatorSegment>& out) {
  for (const SegmentLife& life : replay.segment_lives()) {
    const SegmentRange& range = life.range;
    out.push_back({.address = range.address,
                   .size_bytes = range.size_bytes,
                   .from = moment_of(life.from),
                   .to = moment_of(life.to),
                   .pool = pools.of(replay.pool_of(range), range.stream),
                   .is_expandable = range.is_expandable,
                   .has_large_pages = range.has_large_pages()});
  }
}

}  // namespace

std::shared_ptr<AllocatorLog> make_log(const MemoryFile& file, const Replay& replay, Sites& sites, Capture& capture) {
  const Snapshot& snapshot = file.snapshot();
  auto log = std::make_shared<AllocatorLog>();
  log->device = replay.device();
  for (const StringId name : snapshot.actions) log->actions.push_back(capture.strings.add(snapshot.strings.get(name)));
  Pools pools(snapshot, log->pools);
  add_lives(replay, sites, pools, log->lives);
  add_segments(replay, pools, log->segments);
  log->has_times = snapshot.has_times;
  log->is_exact = replay.is_exact();
  log->mismatched = replay.mismatched_blocks();
  return log;
}

void add_entries(Entries entries, std::span<const Trace> traces, std::span<const std::shared_ptr<AllocatorLog>> logs) {
  LargeVector<AllocatorAction> actions;
  actions.reserve(entries.size());
  for (std::size_t row = 0; row < entries.size(); ++row) {
    actions.push_back(static_cast<AllocatorAction>(entries.action[row]));
    if (!entries.has(row, Entries::kHasAddress)) entries.address[row] = Allocation::kNoAddress;
  }
  for (std::size_t i = 0; i < logs.size(); ++i) {
    AllocatorEntries& of = logs[i]->entries;
    const Trace trace = traces[i];
    // The usual snapshot is of one device: its columns need not be copied.
    const auto put = [&]<typename T>(LargeVector<T>& from, Column<T>& into) {
      if (trace.size() == 0) return;
      const auto begin = from.begin() + trace.first, end = from.begin() + trace.end;
      into = trace.size() == from.size() ? Column<T>(std::move(from)) : Column<T>(LargeVector<T>(begin, end));
    };
    put(actions, of.action), put(entries.time_ns, of.at_ns);
    put(entries.address, of.address), put(entries.size_bytes, of.size_bytes);
  }
}

}  // namespace vizd::torch_memory
