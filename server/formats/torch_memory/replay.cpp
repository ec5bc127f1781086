#include "formats/torch_memory/replay.h"

#include <algorithm>
#include <iterator>

#include "base/hash_index.h"
#include "formats/torch_memory/block_size.h"

namespace vizd::torch_memory {
namespace {

bool is_segment_action(Action action) { return action >= Action::kSegmentAlloc && action <= Action::kSegmentUnmap; }
bool brings_segment(Action action) { return action == Action::kSegmentAlloc || action == Action::kSegmentMap; }
bool is_of_expandable(Action action) { return action == Action::kSegmentMap || action == Action::kSegmentUnmap; }

std::int64_t signed_bytes(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); }

}  // namespace

Replay::Replay(const Snapshot& snapshot, std::int64_t device)
    : snapshot_(snapshot), device_(device), trace_(snapshot.trace_of(device)) {
  for (std::uint32_t row = trace_.first; row < trace_.end && !snapshot_pools_known_; ++row)
    snapshot_pools_known_ = snapshot_.entries.has(row, Entries::kHasPool);
  match_lives();
  take_back();
}

std::int64_t Replay::time_ns(std::int64_t entry) const {
  return entry < 0 || entry >= entries() ? kNoTime : snapshot_.entries.time_ns[row(entry)];
}

// --- lives, by address and in order

// Places in lives_ by address, where no order of addresses is asked for.
class Replay::OpenLives {
 public:
  explicit OpenLives(const LargeVector<Life>& lives) : lives_(lives) {}

  // kNone: none is open there.
  std::uint32_t find(std::uint64_t address) const {
    return index_.find(hash_of(address), [&](std::uint32_t place) { return lives_[place].address == address; });
  }
  void add(std::uint64_t address, std::uint32_t place) { index_.add(hash_of(address), place); }
  void erase(std::uint64_t address, std::uint32_t place) { index_.erase(hash_of(address), place); }

  static constexpr std::uint32_t kNone = HashIndex::kNone;

 private:
  static std::uint32_t hash_of(std::uint64_t address) {
    return mix_hash(static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32));
  }

  const LargeVector<Life>& lives_;
  HashIndex index_;
};

std::uint32_t Replay::add_life(std::int64_t entry, bool is_born) {
  const std::uint32_t at = row(entry);
  const Entries& entries = snapshot_.entries;
  lives_.push_back({.address = entries.address[at],
                    .requested_bytes = entries.size_bytes[at],
                    .born = is_born ? entry : kBeforeFirst,
                    .stream = entries.stream[at],
                    .stack = is_born ? entries.stack[at] : 0,
                    .words = is_born ? entries.words[at] : 0});
  return static_cast<std::uint32_t>(lives_.size() - 1);
}

void Replay::match_lives() {
  OpenLives open(lives_);
  const Entries& entries = snapshot_.entries;
  bool asks = false;  // else requests to free were not recorded
  for (std::uint32_t at = trace_.first; at < trace_.end && !asks; ++at)
    asks = entries.action[at] == Action::kFreeRequested;
  // No entry and no block makes more than one; room that is not touched costs nothing.
  lives_.reserve(trace_.size() + snapshot_.blocks.size());
  for (std::int64_t entry = 0; entry < this->entries(); ++entry) {
    const Action action = this->action(entry);
    if (action > Action::kFreeCompleted) continue;
    const std::uint64_t address = entries.address[row(entry)];
    const std::uint32_t found = open.find(address);
    const bool is_open = found != OpenLives::kNone;
    if (action == Action::kAlloc) {
      if (is_open) {
        lives_[found].completed = entry;
        lives_[found].is_lost = true;
        ++lost_;
        open.erase(address, found);
      }
      open.add(address, add_life(entry, true));
      continue;
    }
    const std::uint32_t place = is_open ? found : add_life(entry, false);
    Life& life = lives_[place];
    if (action == Action::kFreeRequested) {
      life.freed = entry;
      if (!is_open) open.add(address, place);
      continue;
    }
    life.completed = entry;
    life.was_asked = !life.is_born() && life.freed == kNever && asks;
    if (is_open) open.erase(address, place);
  }
  match_end(open);
  order_lives();
}

// Lives that the entries leave open, and the blocks that the snapshot has at the end.
void Replay::match_end(OpenLives& open) {
  for (const Segment& segment : snapshot_.segments_of(device_)) {
    for (const Block& block : snapshot_.blocks_of(segment)) {
      if (block.state == BlockState::kInactive) continue;
      const std::uint32_t found = open.find(block.address);
      const bool is_open = found != OpenLives::kNone;
      if (!is_open) {
        lives_.push_back({.address = block.address,
                          .requested_bytes = block.requested_bytes,
                          .stream = segment.stream,
                          .was_asked = block.state == BlockState::kPendingFree});
      }
      Life& life = is_open ? lives_[found] : lives_.back();
      life.block_bytes = block.size_bytes;
      life.is_at_end = true;
      if (life.stack == 0) life.stack = block.stack;
      if (life.words == 0) life.words = block.words;
      if (is_open) open.erase(block.address, found);
    }
  }
  for (Life& life : lives_) {
    if (life.completed != kNever || life.is_at_end) continue;
    if (life.freed == kNever) {
      ++not_in_snapshot_;
      continue;
    }
    life.completed = life.freed;
    life.is_lost = true;
    ++lost_;
  }
}

// Lives from before the first entry are few: the others move behind them in place.
void Replay::order_lives() {
  std::vector<Life> before;
  std::ranges::copy_if(lives_, std::back_inserter(before), [](const Life& life) { return !life.is_born(); });
  auto to = lives_.end();
  for (auto from = lives_.end(); from != lives_.begin() && !before.empty();) {
    if ((--from)->is_born()) *--to = *from;
  }
  std::ranges::copy(before, lives_.begin());
  before_ = before.size();
}

// --- segments, from the end back to before the first entry

void Replay::take_back() {
  for (const Segment& segment : snapshot_.segments_of(device_)) {
    at_end_.put(
        {segment.address, segment.size_bytes, segment.stream, segment.pool, segment.type, segment.is_expandable});
  }
  at_start_ = at_end_;
  const Entries& all = snapshot_.entries;
  for (std::int64_t entry = entries() - 1; entry >= 0; --entry) {
    const Action what = action(entry);
    if (!is_segment_action(what)) continue;
    const std::uint32_t at = row(entry);
    SegmentRange range{all.address[at], all.size_bytes[at],    all.stream[at],
                       all.pool[at],    SegmentSize::kUnknown, is_of_expandable(what)};
    if (!brings_segment(what)) {
      if (!at_start_.add(range)) ++strange_;
    } else if (const auto had = at_start_.remove(range)) {
      range.type = had->type;
      if (!snapshot_pools_known_) range.pool = had->pool;
    } else {
      ++strange_;
    }
    segment_entries_.emplace_back(entry, range);
  }
  std::ranges::reverse(segment_entries_);
}

std::uint32_t Replay::pool_of(const SegmentRange& range) const {
  if (!range.is_expandable || snapshot_pools_known_) return range.pool;
  const SegmentRange* const at_end = at_end_.find(range.address);
  return at_end != nullptr && at_end->is_expandable ? at_end->pool : kNoPool;
}

std::uint32_t Replay::pool_of_life(const Life& life, const SegmentRange* range) const {
  if (life.is_born()) {
    const std::uint32_t at = row(life.born);
    if (snapshot_.entries.has(at, Entries::kHasPool)) return snapshot_.entries.pool[at];
  }
  if (range == nullptr) return kNoPool;
  if (!range->is_expandable || snapshot_pools_known_) return range->pool;
  const SegmentRange* const at_end = at_end_.find(life.address);
  return at_end != nullptr && at_end->is_expandable ? at_end->pool : kNoPool;
}

// --- forward

// Its request rounded, and what lies behind it where that is too little to be split off.
std::uint64_t Replay::ruled_bytes(const Life& life) const {
  const std::uint64_t bytes = rounded(life.requested_bytes, snapshot_.roundup_divisions);
  const SegmentRange* const segment = segments_.find(life.address);
  if (segment == nullptr || segment->is_expandable || bytes <= kSmallBytes) return bytes;
  const auto* const next = active_.after(life.address);
  const std::uint64_t end = next == nullptr ? segment->end() : std::min(segment->end(), next->address);
  const std::uint64_t room = end - life.address;
  const bool is_whole = room >= bytes && (room - bytes <= kSmallBytes ||
                                          (snapshot_.max_split_bytes && bytes >= *snapshot_.max_split_bytes));
  return is_whole ? room : bytes;
}

PoolBytes& Replay::pool_bytes(std::uint32_t pool, std::uint32_t stream) {
  if (last_pool_ < pools_.size() && pools_[last_pool_].pool == pool && pools_[last_pool_].stream == stream)
    return pools_[last_pool_];
  const auto [place, is_new] = pool_places_.try_emplace({pool, stream}, pools_.size());
  if (is_new) pools_.push_back({.pool = pool, .stream = stream});
  last_pool_ = place->second;
  return pools_[last_pool_];
}

void Replay::count(const Life& life, Quantity quantity, std::int64_t sign) {
  const std::int64_t bytes =
      sign * signed_bytes(quantity == Quantity::kRequested ? life.requested_bytes : life.block_bytes);
  now_[quantity] += bytes;
  PoolBytes& of = pool_bytes(life.pool, life.stream);
  of.now[quantity] += bytes;
  of.peak[quantity] = std::max(of.peak[quantity], of.now[quantity]);
}

void Replay::finish(std::uint32_t place) {
  const Life& life = lives_[place];
  if (life.freed == kNever && !life.was_asked) count(life, Quantity::kAllocated, -1);
  count(life, Quantity::kActive, -1);
  count(life, Quantity::kRequested, -1);
  active_.erase(life.address);
}

void Replay::lose(std::uint32_t place, std::int64_t entry) {
  finish(place);
  lives_[place].completed = entry;
  lives_[place].is_lost = true;
  ++lost_in_run_;
}

void Replay::begin_run() {
  segments_ = at_start_;
  active_ = {};
  segment_lives_.clear();
  open_segments_ = {};
  now_ = {};
  pools_.clear();
  pool_places_.clear();
  next_life_ = before_;
  next_segment_entry_ = 0;
  lost_in_run_ = outside_ = mismatched_ = 0;
  for (std::size_t i = 0; i < before_; ++i) active_.put(lives_[i].address, static_cast<std::uint32_t>(i));
  segments_.for_each([&](const SegmentRange& range) {
    begin_segment(range, kBeforeFirst);
    now_[Quantity::kReserved] += signed_bytes(range.size_bytes);
    PoolBytes& of = pool_bytes(range.pool, range.stream);
    of.now[Quantity::kReserved] += signed_bytes(range.size_bytes);
    of.peak[Quantity::kReserved] = of.now[Quantity::kReserved];
  });
  for (std::size_t i = 0; i < before_; ++i) {
    Life& life = lives_[i];
    if (!life.is_at_end) life.block_bytes = ruled_bytes(life);
    life.pool = pool_of_life(life, segments_.find(life.address));
    if (!life.was_asked) count(life, Quantity::kAllocated, 1);
    count(life, Quantity::kActive, 1);
    count(life, Quantity::kRequested, 1);
  }
  start_ = peak_ = now_;
  peak_moments_.fill(kBeforeFirst);
}

void Replay::play_alloc(std::int64_t entry) {
  const auto place = static_cast<std::uint32_t>(next_life_++);
  Life& life = lives_[place];
  if (const std::uint32_t* const there = active_.find(life.address)) finish(*there);
  const std::uint64_t bytes = rounded(life.requested_bytes, snapshot_.roundup_divisions);
  if (const auto* const before = active_.at_or_before(life.address);
      before != nullptr && end_address(before->address, lives_[before->value].block_bytes) > life.address)
    lose(before->value, entry);
  for (const auto* over = active_.at_or_after(life.address); over != nullptr && over->address - life.address < bytes;
       over = active_.at_or_after(life.address))
    lose(over->value, entry);
  const SegmentRange* const segment = segments_.find(life.address);
  if (segment == nullptr) ++outside_;
  const std::uint64_t ruled = ruled_bytes(life);
  if (!life.is_at_end) {
    life.block_bytes = ruled;
  } else if (life.block_bytes != ruled) {
    ++mismatched_;
  }
  life.pool = pool_of_life(life, segment);
  active_.put(life.address, place);
  count(life, Quantity::kAllocated, 1);
  count(life, Quantity::kActive, 1);
  count(life, Quantity::kRequested, 1);
  if (life.completed == entry) finish(place);
}

void Replay::begin_segment(const SegmentRange& range, std::int64_t entry) {
  open_segments_.put(range.address, static_cast<std::uint32_t>(segment_lives_.size()));
  segment_lives_.push_back({.range = range, .from = entry});
}

void Replay::play_segment(std::int64_t entry, const SegmentRange& range, bool is_added) {
  beside_.clear();
  segments_.for_each_beside(range, [&](const SegmentRange& before) { beside_.push_back(before); });
  if (is_added ? !segments_.add(range) : !segments_.remove(range)) return;
  for (const SegmentRange& before : beside_) {
    const SegmentRange* const after = segments_.find(before.address);
    if (after != nullptr && *after == before) continue;
    if (const std::uint32_t* const place = open_segments_.find(before.address)) segment_lives_[*place].to = entry;
    open_segments_.erase(before.address);
  }
  segments_.for_each_beside(range, [&](const SegmentRange& after) {
    if (open_segments_.find(after.address) == nullptr) begin_segment(after, entry);
  });
  const std::int64_t bytes = (is_added ? 1 : -1) * signed_bytes(range.size_bytes);
  now_[Quantity::kReserved] += bytes;
  PoolBytes& of = pool_bytes(range.pool, range.stream);
  of.now[Quantity::kReserved] += bytes;
  of.peak[Quantity::kReserved] = std::max(of.peak[Quantity::kReserved], of.now[Quantity::kReserved]);
}

void Replay::play(std::int64_t entry) {
  const Action what = action(entry);
  if (what == Action::kAlloc) return play_alloc(entry);
  if (is_segment_action(what))
    return play_segment(entry, segment_entries_[next_segment_entry_++].second, brings_segment(what));
  if (what != Action::kFreeRequested && what != Action::kFreeCompleted) return;
  const std::uint32_t* const found = active_.find(snapshot_.entries.address[row(entry)]);
  if (found == nullptr) return;
  const std::uint32_t place = *found;
  if (what == Action::kFreeRequested) {
    if (lives_[place].freed != entry) return;
    count(lives_[place], Quantity::kAllocated, -1);
  }
  if (lives_[place].completed == entry) finish(place);
}

void Replay::step(std::int64_t entry) {
  play(entry);
  for (std::size_t i = 0; i < kCounters; ++i) {
    if (now_.bytes[i] <= peak_.bytes[i]) continue;
    peak_.bytes[i] = now_.bytes[i];
    peak_moments_[i] = entry;
  }
}

void Replay::run(std::span<const std::int64_t> moments, const Visit& visit) {
  begin_run();
  std::size_t next = 0;
  for (; next < moments.size() && moments[next] == kBeforeFirst; ++next) visit(state(kBeforeFirst));
  for (std::int64_t entry = 0; entry < entries(); ++entry) {
    step(entry);
    for (; next < moments.size() && moments[next] == entry; ++next) visit(state(entry));
  }
  end_ = now_;
}

void Replay::visit_all(const Visit& visit) {
  begin_run();
  visit(state(kBeforeFirst));
  for (std::int64_t entry = 0; entry < entries(); ++entry) {
    step(entry);
    visit(state(entry));
  }
  end_ = now_;
}

bool Replay::is_exact() const {
  Counters told;
  for (const Segment& segment : snapshot_.segments_of(device_)) {
    told[Quantity::kReserved] += signed_bytes(segment.size_bytes);
    told[Quantity::kAllocated] += signed_bytes(segment.allocated_bytes);
    told[Quantity::kActive] += signed_bytes(segment.active_bytes);
    told[Quantity::kRequested] += signed_bytes(segment.requested_bytes);
  }
  return mismatched_ == 0 && told == end_;
}

}  // namespace vizd::torch_memory
