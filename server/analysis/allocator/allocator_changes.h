// AllocatorChanges: the lives of a memory in the order in which they begin and end, so that a sum over them is known at
// any moment without a walk over all: it is kept at the first moment of each block of moments, and followed from there.
// The track must outlive it. Any thread; nothing changes once it is made.
#pragma once

#include <cstdint>
#include <utility>

#include "base/huge_pages.h"
#include "model/allocator_log.h"
#include "model/track.h"

namespace vizd {

class AllocatorChanges {
  struct Place {
    std::uint32_t birth = 0, end = 0;  // the next ones
  };

 public:
  // Until when a life counts: its bytes are allocated until kDone, and active until kCompleted.
  enum class End : std::uint8_t { kDone, kCompleted };
  // The track has an allocator log.
  explicit AllocatorChanges(const Track& track, End end = End::kDone);

  static constexpr AllocatorMoment kBlock = 128;
  static std::size_t block_of(AllocatorMoment moment) { return moment / kBlock; }
  static AllocatorMoment first_of(std::size_t block) { return static_cast<AllocatorMoment>(block * kBlock); }
  std::size_t blocks() const { return block_of(last_) + 1; }
  AllocatorMoment last_moment() const { return last_; }
  std::size_t memory_bytes() const { return ends_.capacity() * 4 + places_.capacity() * sizeof(Place); }

  // Goes on from moment to moment.
  class Walk {
   public:
    // Stands before all changes, those of moment 0 too.
    explicit Walk(const AllocatorChanges& changes) : changes_(changes) {}
    // Stands after all changes of the block's first moment.
    Walk(const AllocatorChanges& changes, std::size_t block)
        : changes_(changes), place_(changes.places_[block]), moment_(first_of(block)) {}

    AllocatorMoment moment() const { return moment_; }
    // Calls change(life, is_begin) for all that happens after moment() and up to this one, which is no earlier; of one
    // moment ends come first.
    template <typename Change>
    void go_to(AllocatorMoment moment, Change&& change) {
      place_ = changes_.go(place_, moment, change);
      moment_ = moment;
    }

   private:
    const AllocatorChanges& changes_;
    Place place_;
    AllocatorMoment moment_ = 0;
  };

 private:
  AllocatorMoment end_of(std::uint32_t life) const {
    return end_ == End::kDone ? lives_.done(life) : lives_.completed[life];
  }
  template <typename Change>
  Place go(Place place, AllocatorMoment moment, Change&& change) const {
    while (true) {
      const AllocatorMoment birth = place.birth < lives_.size() ? lives_.born[place.birth] : kNeverDone;
      const AllocatorMoment end = place.end < ends_.size() ? end_of(ends_[place.end]) : kNeverDone;
      if (end <= birth && end <= moment) {
        change(ends_[place.end++], false);
      } else if (birth <= moment) {
        // Allocations that never count are skipped.
        if (birth < end_of(place.birth)) change(place.birth, true);
        ++place.birth;
      } else {
        return place;
      }
    }
  }

  const AllocatorLives& lives_;
  const End end_;
  const AllocatorMoment last_;
  LargeVector<std::uint32_t> ends_;  // lives that count and end, by when
  LargeVector<Place> places_;        // by block
};

}  // namespace vizd
