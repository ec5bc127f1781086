// Replay: a device's memory entry by entry: the lives of its allocations, the sizes of their blocks, and its segments.
// No entry says how large a block is or what was there before the first entry: that follows from the segments and
// blocks at the end, the entries taken back from there, and the allocator's own rules played forward. One thread.
//
// A moment is an entry's place in the trace, and holds after it; -1 is before the first.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "formats/torch_memory/address_map.h"
#include "formats/torch_memory/segment_ranges.h"
#include "formats/torch_memory/snapshot.h"

namespace vizd::torch_memory {

// Times of a life: an end that never came, and a begin before the first entry.
inline constexpr std::int64_t kNever = INT64_MAX;
inline constexpr std::int64_t kBeforeFirst = -1;

// One allocation: its block is allocated until it is asked to be freed, and active until that is completed.
struct Life {
  std::uint64_t address = 0, requested_bytes = 0, block_bytes = 0;
  std::int64_t born = kBeforeFirst;  // the entry
  std::int64_t freed = kNever, completed = kNever;
  std::uint32_t stream = 0, stack = 0;
  std::uint32_t pool = kNoPool;
  std::uint32_t words = 0;
  bool is_lost = false;    // it ended without an entry that says so
  bool is_at_end = false;  // the snapshot has its block, with that size
  bool was_asked = false;  // asked to be freed before the first entry

  std::int64_t done() const { return was_asked ? kBeforeFirst : freed != kNever ? freed : completed; }
  bool is_allocated_at(std::int64_t moment) const { return born <= moment && done() > moment; }
  bool is_active_at(std::int64_t moment) const { return born <= moment && completed > moment; }
  // Whether the program was done with it by then, though another stream might not be.
  bool is_asked_at(std::int64_t moment) const { return was_asked || freed <= moment; }
  bool is_born() const { return born != kBeforeFirst; }
};

inline constexpr std::size_t kCounters = 4;
enum class Quantity : std::uint8_t { kReserved, kAllocated, kActive, kRequested };

struct Counters {
  std::array<std::int64_t, kCounters> bytes{};
  std::int64_t& operator[](Quantity quantity) { return bytes[static_cast<std::size_t>(quantity)]; }
  std::int64_t operator[](Quantity quantity) const { return bytes[static_cast<std::size_t>(quantity)]; }
  bool operator==(const Counters&) const = default;
};

// A range as it was from one moment to another: one that grows or is cut is told of as several.
struct SegmentLife {
  SegmentRange range;
  std::int64_t from = kBeforeFirst, to = kNever;
};

// The memory of one pool and stream.
struct PoolBytes {
  std::uint32_t pool = kNoPool, stream = 0;
  Counters now = {}, peak = {};
};

class Replay {
 public:
  // The allocator at a moment, valid while it is told of.
  struct State {
    std::int64_t moment = kBeforeFirst;
    const Counters& counters;
    const SegmentRanges& segments;
    const AddressMap<std::uint32_t>& active;  // lives by address
    const Replay& replay;
  };
  using Visit = std::function<void(const State&)>;

  // The snapshot must outlive it.
  Replay(const Snapshot& snapshot, std::int64_t device);

  // Plays all entries, and tells of the state at these moments, which are in order. Can be done again.
  void run(std::span<const std::int64_t> moments = {}, const Visit& visit = {});
  // The same where only a moment's state is wanted; and where all are.
  void visit(std::int64_t moment, const Visit& visit) { run({&moment, 1}, visit); }
  void visit_all(const Visit& visit);

  const Snapshot& snapshot() const { return snapshot_; }
  std::int64_t device() const { return device_; }
  std::int64_t entries() const { return trace_.size(); }
  std::int64_t last_moment() const { return entries() - 1; }
  std::uint32_t row(std::int64_t entry) const { return trace_.first + static_cast<std::uint32_t>(entry); }
  Action action(std::int64_t entry) const { return snapshot_.entries.action[row(entry)]; }
  // kNoTime where there is none; also of no entry.
  std::int64_t time_ns(std::int64_t entry) const;
  // The pool of a range at any moment, as far as it is known.
  std::uint32_t pool_of(const SegmentRange& range) const;

  // The lives of all entries, after run().

  std::span<const Life> lives() const { return lives_; }  // those from before the first entry come first
  std::size_t lives_before() const { return before_; }
  const Counters& start() const { return start_; }
  const Counters& end() const { return end_; }
  const Counters& peak() const { return peak_; }
  std::int64_t peak_moment(Quantity quantity) const { return peak_moments_[static_cast<std::size_t>(quantity)]; }
  std::uint64_t lost() const { return lost_ + lost_in_run_; }
  std::uint64_t not_in_snapshot() const { return not_in_snapshot_; }
  std::uint64_t outside_segments() const { return outside_; }
  std::uint64_t strange_segment_events() const { return strange_; }
  std::uint64_t mismatched_blocks() const { return mismatched_; }
  bool is_exact() const;
  // The pools that memory was in; their reserved bytes over time are not known where nothing tells of which pool a
  // segment was.
  std::span<const PoolBytes> pools() const { return pools_; }
  bool knows_reserved_by_pool() const { return snapshot_pools_known_ || segment_entries_.empty(); }
  const SegmentRanges& segments_at_end() const { return at_end_; }
  // In the order of their first moments.
  std::span<const SegmentLife> segment_lives() const { return segment_lives_; }

 private:
  class OpenLives;

  void match_lives();
  void match_end(OpenLives& open);
  std::uint32_t add_life(std::int64_t entry, bool is_born);
  void order_lives();
  void take_back();

  void begin_run();
  void step(std::int64_t entry);
  State state(std::int64_t moment) const { return {moment, now_, segments_, active_, *this}; }
  void play(std::int64_t entry);
  void play_alloc(std::int64_t entry);
  void play_segment(std::int64_t entry, const SegmentRange& range, bool is_added);
  void begin_segment(const SegmentRange& range, std::int64_t entry);
  std::uint64_t ruled_bytes(const Life& life) const;
  std::uint32_t pool_of_life(const Life& life, const SegmentRange* range) const;
  void count(const Life& life, Quantity quantity, std::int64_t sign);
  void finish(std::uint32_t life);
  void lose(std::uint32_t life, std::int64_t entry);
  PoolBytes& pool_bytes(std::uint32_t pool, std::uint32_t stream);

  const Snapshot& snapshot_;
  const std::int64_t device_;
  const Trace trace_;
  bool snapshot_pools_known_ = false;  // the device's entries name pools

  LargeVector<Life> lives_;
  std::size_t before_ = 0;
  std::uint64_t lost_ = 0, not_in_snapshot_ = 0, strange_ = 0;
  SegmentRanges at_end_, at_start_;
  std::vector<std::pair<std::int64_t, SegmentRange>> segment_entries_;  // by entry

  // The state of a run.
  SegmentRanges segments_;
  AddressMap<std::uint32_t> active_;
  LargeVector<SegmentLife> segment_lives_;
  AddressMap<std::uint32_t> open_segments_;  // places in segment_lives_
  std::vector<SegmentRange> beside_;         // of the change that is played
  Counters now_, start_, end_, peak_;
  std::array<std::int64_t, kCounters> peak_moments_{};
  std::size_t next_life_ = 0, next_segment_entry_ = 0;
  std::uint64_t lost_in_run_ = 0, outside_ = 0, mismatched_ = 0;
  std::vector<PoolBytes> pools_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> pool_places_;
  std::size_t last_pool_ = 0;
};

}  // namespace vizd::torch_memory
