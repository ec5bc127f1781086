#include "analysis/allocator/allocator_curve.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ranges>

namespace vizd {
namespace {

std::int64_t signed_bytes_of(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); }

std::int64_t change_of(std::uint64_t bytes, bool is_begin) {
  return is_begin ? signed_bytes_of(bytes) : -signed_bytes_of(bytes);
}

void raise(AllocatorCurve::Peak& peak, std::int64_t bytes, AllocatorMoment moment) {
  if (bytes > peak.bytes) peak = {bytes, moment};
}

}  // namespace

AllocatorCurve::AllocatorCurve(const Track& track) : track_(track), changes_(track) {
  find_allocated();
  find_active();
  find_reserved();
}

void AllocatorCurve::find_allocated() {
  AllocatorChanges::Walk walk(changes_);
  std::int64_t now = 0;
  const auto add = [&](std::uint32_t life, bool is_begin) {
    now += change_of(track_.allocations[life].size_bytes(), is_begin);
  };
  blocks_.reserve(changes_.blocks());
  for (AllocatorMoment moment = 0; moment <= changes_.last_moment(); ++moment) {
    walk.go_to(moment, add);
    if (moment == AllocatorChanges::first_of(blocks_.size())) blocks_.push_back({now, {now, moment}});
    raise(blocks_.back().most, now, moment);
    if (moment == 0) start.allocated = allocated.bytes = now;
    raise(allocated, now, moment);
  }
  end.allocated = now;
}

void AllocatorCurve::find_active() {
  const AllocatorChanges completed(track_, AllocatorChanges::End::kCompleted);
  AllocatorChanges::Walk walk(completed);
  std::int64_t blocks = 0, requests = 0;
  const auto add = [&](std::uint32_t life, bool is_begin) {
    blocks += change_of(track_.allocations[life].size_bytes(), is_begin);
    requests += change_of(track_.allocator->lives.requested_bytes[life], is_begin);
  };
  for (AllocatorMoment moment = 0; moment <= completed.last_moment(); ++moment) {
    walk.go_to(moment, add);
    if (moment == 0) {
      start.active = active.bytes = blocks;
      start.requested = requested.bytes = requests;
    }
    raise(active, blocks, moment);
    raise(requested, requests, moment);
  }
  end.active = blocks;
  end.requested = requests;
}

void AllocatorCurve::find_reserved() {
  std::vector<Reserved> changes{{0, 0}};
  for (const AllocatorSegment& segment : track_.allocator->segments.span()) {
    if (segment.from >= segment.to) continue;
    changes.push_back({segment.from, signed_bytes_of(segment.size_bytes)});
    if (segment.to != kNeverDone) changes.push_back({segment.to, -signed_bytes_of(segment.size_bytes)});
  }
  std::ranges::stable_sort(changes, {}, &Reserved::from);
  std::int64_t now = 0;
  for (const Reserved& change : changes) {
    now += change.bytes;
    if (reserved_.empty() || reserved_.back().from != change.from) reserved_.push_back({change.from, 0});
    reserved_.back().bytes = now;
  }
  reserved_.shrink_to_fit();
  reserved.bytes = start.reserved = reserved_.front().bytes;
  for (const Reserved& step : reserved_) raise(reserved, step.bytes, step.from);
  end.reserved = reserved_.back().bytes;
}

AllocatorCurve::Peak AllocatorCurve::most_in_block(AllocatorMoment first, AllocatorMoment last) const {
  const std::size_t block = AllocatorChanges::block_of(first);
  AllocatorChanges::Walk walk(changes_, block);
  std::int64_t now = blocks_[block].first_bytes;
  const auto add = [&](std::uint32_t life, bool is_begin) {
    now += change_of(track_.allocations[life].size_bytes(), is_begin);
  };
  walk.go_to(first, add);
  Peak most{now, first};
  for (AllocatorMoment moment = first + 1; moment <= last; ++moment) {
    walk.go_to(moment, add);
    raise(most, now, moment);
  }
  return most;
}

std::int64_t AllocatorCurve::allocated_at(AllocatorMoment moment) const { return most_in_block(moment, moment).bytes; }

AllocatorCurve::Peak AllocatorCurve::most_allocated(AllocatorMoment first, AllocatorMoment last) const {
  const std::size_t first_block = AllocatorChanges::block_of(first), last_block = AllocatorChanges::block_of(last);
  if (first_block == last_block) return most_in_block(first, last);
  Peak most = most_in_block(first, AllocatorChanges::first_of(first_block + 1) - 1);
  for (std::size_t block = first_block + 1; block < last_block; ++block)
    raise(most, blocks_[block].most.bytes, blocks_[block].most.moment);
  const Peak rest = most_in_block(AllocatorChanges::first_of(last_block), last);
  raise(most, rest.bytes, rest.moment);
  return most;
}

std::int64_t AllocatorCurve::most_reserved(AllocatorMoment first, AllocatorMoment last) const {
  auto step = std::prev(std::ranges::upper_bound(reserved_, first, {}, &Reserved::from));
  std::int64_t most = step->bytes;
  for (++step; step != reserved_.end() && step->from <= last; ++step) most = std::max(most, step->bytes);
  return most;
}

std::size_t AllocatorCurve::memory_bytes() const {
  return changes_.memory_bytes() + blocks_.capacity() * sizeof(Block) + reserved_.capacity() * sizeof(Reserved);
}

AllocatorMoment moment_at(const AllocatorLog& log, std::int64_t at_ns) {
  const auto times = log.entries.at_ns.span();
  return static_cast<AllocatorMoment>(std::ranges::upper_bound(times, at_ns) - times.begin());
}

std::int64_t time_of(const AllocatorLog& log, AllocatorMoment moment) {
  const auto times = log.entries.at_ns.span();
  if (times.empty()) return 0;
  return moment == 0 ? times.front() : times[std::min<std::size_t>(moment, times.size()) - 1];
}

AllocatorMoment peak_between(const Track& track, const AllocatorCurve& curve, std::int64_t from_ns,
                             std::int64_t to_ns) {
  const AllocatorMoment first = moment_at(*track.allocator, from_ns - 1), last = moment_at(*track.allocator, to_ns);
  return curve.most_allocated(std::min(first + 1, last), last).moment;
}

namespace {

// The moments that a stacked curve shows, and what was allocated and reserved.
void choose_moments(const AllocatorLog& log, const AllocatorCurve& curve, const CurveQuestion& question,
                    StackedCurve& stacked) {
  const auto times = log.entries.at_ns.span();
  const auto show = [&](AllocatorMoment moment, std::int64_t allocated, std::int64_t reserved) {
    stacked.moments.push_back(moment);
    stacked.allocated_bytes.push_back(allocated);
    stacked.reserved_bytes.push_back(reserved);
  };
  const AllocatorMoment before = moment_at(log, question.from_ns - 1), last = moment_at(log, question.to_ns);
  stacked.entries = last - before;
  show(before, curve.allocated_at(before), curve.most_reserved(before, before));
  const auto length_ns = static_cast<double>(std::max<std::int64_t>(question.to_ns - question.from_ns, 1));
  const auto per_ns = static_cast<double>(question.stretches) / length_ns;
  const auto stretch_of = [&](AllocatorMoment moment) {
    return static_cast<std::size_t>(static_cast<double>(times[moment - 1] - question.from_ns) * per_ns);
  };
  for (AllocatorMoment first = before + 1; first <= last;) {
    const std::size_t stretch = stretch_of(first);
    // A view may hold millions: the end of a stretch is looked for by its time.
    const AllocatorMoment next = *std::ranges::partition_point(
        std::views::iota(first + 1, last + 1), [&](AllocatorMoment moment) { return stretch_of(moment) == stretch; });
    const AllocatorCurve::Peak peak = curve.most_allocated(first, next - 1);
    show(peak.moment, peak.bytes, curve.most_reserved(first, next - 1));
    const bool is_followed = next <= last && stretch_of(next) == stretch + 1;
    if (!is_followed && peak.moment != next - 1)
      show(next - 1, curve.allocated_at(next - 1), curve.most_reserved(next - 1, next - 1));
    first = next;
  }
}

// What an owner had at these moments, whose sums are not kept.
std::vector<std::uint64_t> held_by(const Track& track, const AllocationOwners& owners, std::uint32_t owner,
                                   const std::vector<AllocatorMoment>& moments) {
  // First by how much each moment has more than the one before it.
  std::vector<std::uint64_t> held(moments.size() + 1);
  const auto place = [&](AllocatorMoment moment) {
    return static_cast<std::size_t>(std::ranges::lower_bound(moments, moment) - moments.begin());
  };
  const AllocatorLives& lives = track.allocator->lives;
  for (std::uint32_t i = 0; i < lives.size(); ++i) {
    if (owners.of_life[i] != owner) continue;
    const std::size_t born = place(lives.born[i]), done = place(lives.done(i));
    if (born >= done) continue;
    held[born] += track.allocations[i].size_bytes();
    held[done] -= track.allocations[i].size_bytes();
  }
  for (std::size_t i = 1; i < held.size(); ++i) held[i] += held[i - 1];
  held.pop_back();
  return held;
}

}  // namespace

StackedCurve stacked_curve(const Track& track, const AllocatorCurve& curve, const AllocationOwners& owners,
                           const CurveQuestion& question) {
  StackedCurve stacked;
  choose_moments(*track.allocator, curve, question, stacked);
  std::vector<std::uint32_t> row_of(owners.names.size(), kNoId);
  for (std::uint32_t row = 0; row < question.owners.size(); ++row) {
    const std::uint32_t owner = question.owners[row];
    const bool is_kept = owner < owners.levels.owners;
    if (is_kept) row_of[owner] = row;
    stacked.bytes_by_owner.push_back(is_kept ? std::vector<std::uint64_t>(stacked.moments.size())
                                             : held_by(track, owners, owner, stacked.moments));
  }
  // The owners whose sums are kept, each from the first moment of its block on.
  std::vector<std::uint64_t> now(question.owners.size());
  std::optional<AllocatorChanges::Walk> walk;
  const auto add = [&](std::uint32_t life, bool is_begin) {
    const std::uint32_t row = row_of[owners.of_life[life]];
    if (row == kNoId) return;
    const std::uint64_t bytes = track.allocations[life].size_bytes();
    now[row] = is_begin ? now[row] + bytes : now[row] - bytes;
  };
  for (std::size_t i = 0; i < stacked.moments.size(); ++i) {
    const std::size_t block = AllocatorChanges::block_of(stacked.moments[i]);
    if (!walk || AllocatorChanges::block_of(walk->moment()) != block) {
      walk.emplace(curve.changes(), block);
      for (const std::uint32_t owner : question.owners) {
        if (row_of[owner] != kNoId) now[row_of[owner]] = owners.levels.at(block, owner);
      }
    }
    walk->go_to(stacked.moments[i], add);
    for (const std::uint32_t owner : question.owners) {
      if (row_of[owner] != kNoId) stacked.bytes_by_owner[row_of[owner]][i] = now[row_of[owner]];
    }
  }
  return stacked;
}

}  // namespace vizd
