#include "timeline/allocator_states.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace vizd {
namespace {

// Between two states that are kept lie at least so many entries, and as many as the state has blocks: all of them
// together are no larger than what they are made from.
constexpr std::uint32_t kLeastBetween = 4096;

std::int64_t signed_of(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); }

// Finds which things are alive at a moment, from their begins and ends, while moments ascend.
template <typename Born, typename Ended>
class Alive {
 public:
  Alive(std::uint32_t count, Born born, Ended ended) : count_(count), born_(born), ended_(ended) {}

  void go_to(AllocatorMoment moment) {
    for (; next_ < count_ && born_(next_) <= moment; ++next_) now_.push_back(next_);
    std::erase_if(now_, [&](std::uint32_t place) { return ended_(place) <= moment; });
  }
  std::uint32_t next() const { return next_; }
  std::uint32_t count() const { return count_; }
  AllocatorMoment next_born() const { return born_(next_); }
  const std::vector<std::uint32_t>& now() const { return now_; }

 private:
  const std::uint32_t count_;
  const Born born_;
  const Ended ended_;
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> now_;
};

}  // namespace

AllocatorStates::AllocatorStates(const Track& track) : track_(track) {
  VIZD_ASSERT(track.allocator != nullptr);
  const AllocatorLives& lives = track.allocator->lives;
  const std::span<const AllocatorSegment> segments = track.allocator->segments.span();
  Alive alive(
      static_cast<std::uint32_t>(std::min(lives.size(), track.allocations.size())),
      [&](std::uint32_t life) { return lives.born[life]; }, [&](std::uint32_t life) { return lives.completed[life]; });
  Alive held(
      static_cast<std::uint32_t>(segments.size()), [&](std::uint32_t place) { return segments[place].from; },
      [&](std::uint32_t place) { return segments[place].to; });
  const AllocatorMoment last = last_moment();
  for (AllocatorMoment moment = 0;;) {
    alive.go_to(moment);
    held.go_to(moment);
    Kept kept{.moment = moment, .next_life = alive.next(), .next_segment = held.next()};
    kept.first_life = lives_.size();
    lives_.insert(lives_.end(), alive.now().begin(), alive.now().end());
    kept.end_life = lives_.size();
    std::sort(
        lives_.begin() + static_cast<std::ptrdiff_t>(kept.first_life), lives_.end(),
        [&](std::uint32_t a, std::uint32_t b) { return track.allocations[a].address < track.allocations[b].address; });
    kept.first_segment = segments_.size();
    segments_.insert(segments_.end(), held.now().begin(), held.now().end());
    kept.end_segment = segments_.size();
    std::sort(segments_.begin() + static_cast<std::ptrdiff_t>(kept.first_segment), segments_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return segments[a].address < segments[b].address; });
    kept_.push_back(kept);
    const std::size_t between = std::max<std::size_t>(kLeastBetween, alive.now().size() + held.now().size());
    if (last - moment <= between) return;
    moment += static_cast<AllocatorMoment>(between);
  }
}

AllocatorMoment AllocatorStates::last_moment() const {
  return static_cast<AllocatorMoment>(track_.allocator->entries.size());
}

AllocatorMoment AllocatorStates::moment_at(std::int64_t at_ns) const {
  const auto times = track_.allocator->entries.at_ns.span();
  return static_cast<AllocatorMoment>(std::ranges::upper_bound(times, at_ns) - times.begin());
}

std::size_t AllocatorStates::memory_bytes() const {
  return kept_.size() * sizeof(Kept) + (lives_.size() + segments_.size()) * sizeof(std::uint32_t);
}

AllocatorState AllocatorStates::at(AllocatorMoment moment) const {
  const AllocatorLives& lives = track_.allocator->lives;
  const std::span<const AllocatorSegment> segments = track_.allocator->segments.span();
  const std::vector<Allocation>& allocations = track_.allocations;
  AllocatorState state;
  state.moment = std::min(moment, last_moment());
  const Kept& kept = *std::prev(std::ranges::upper_bound(kept_, state.moment, {}, &Kept::moment));
  // Keeps those there that are still alive, then inserts the new ones among them.
  const auto gather = [&](std::vector<std::uint32_t>& into, std::span<const std::uint32_t> there, std::uint32_t next,
                          std::size_t count, const auto& begins, const auto& ends, const auto& address) {
    for (const std::uint32_t place : there) {
      if (ends(place) > state.moment) into.push_back(place);
    }
    const auto were = static_cast<std::ptrdiff_t>(into.size());
    for (; next < count && begins(next) <= state.moment; ++next) {
      if (ends(next) > state.moment) into.push_back(next);
    }
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) { return address(a) < address(b); };
    std::sort(into.begin() + were, into.end(), is_before);
    std::inplace_merge(into.begin(), into.begin() + were, into.end(), is_before);
  };
  gather(
      state.active, std::span(lives_).subspan(kept.first_life, kept.end_life - kept.first_life), kept.next_life,
      std::min(lives.size(), allocations.size()), [&](std::uint32_t life) { return lives.born[life]; },
      [&](std::uint32_t life) { return lives.completed[life]; },
      [&](std::uint32_t life) { return allocations[life].address; });
  gather(
      state.segments, std::span(segments_).subspan(kept.first_segment, kept.end_segment - kept.first_segment),
      kept.next_segment, segments.size(), [&](std::uint32_t place) { return segments[place].from; },
      [&](std::uint32_t place) { return segments[place].to; },
      [&](std::uint32_t place) { return segments[place].address; });
  for (const std::uint32_t place : state.segments) state.bytes.reserved += signed_of(segments[place].size_bytes);
  for (const std::uint32_t life : state.active) {
    const std::int64_t bytes = signed_of(allocations[life].size_bytes());
    state.bytes.active += bytes;
    state.bytes.requested += signed_of(lives.requested_bytes[life]);
    if (lives.done(life) > state.moment) state.bytes.allocated += bytes;
  }
  return state;
}

void AllocatorStates::for_each_segment(
    const AllocatorState& state,
    const std::function<void(const AllocatorSegment&, const std::vector<AllocatorBlock>&)>& tell) const {
  std::vector<AllocatorBlock> blocks;
  std::size_t next = 0;
  for (const std::uint32_t place : state.segments) {
    const AllocatorSegment segment = track_.allocator->segments[place];
    // No segment reaches past the last address; blocks may claim to.
    const std::uint64_t end = segment.address + std::min(segment.size_bytes, ~segment.address);
    blocks.clear();
    while (next < state.active.size() && track_.allocations[state.active[next]].address < segment.address) ++next;
    std::uint64_t at = segment.address;
    for (; next < state.active.size() && track_.allocations[state.active[next]].address < end; ++next) {
      const Allocation& allocation = track_.allocations[state.active[next]];
      if (allocation.address > at) blocks.push_back({at, allocation.address - at});
      blocks.push_back({allocation.address, allocation.size_bytes(), state.active[next]});
      at = allocation.address + std::min(allocation.size_bytes(), ~allocation.address);
    }
    if (at < end) blocks.push_back({at, end - at});
    tell(segment, blocks);
  }
}

}  // namespace vizd
