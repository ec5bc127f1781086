#include "analysis/allocator/allocator_changes.h"

namespace vizd {

AllocatorChanges::AllocatorChanges(const Track& track, End end)
    : lives_(track.allocator->lives), end_(end), last_(static_cast<AllocatorMoment>(track.allocator->entries.size())) {
  // Counted by moment, each then has its place.
  const auto counts = [&](std::uint32_t life) { return end_of(life) <= last_ && lives_.born[life] < end_of(life); };
  LargeVector<std::uint32_t> next(std::size_t{last_} + 2);
  for (std::uint32_t life = 0; life < lives_.size(); ++life) {
    if (counts(life)) ++next[std::size_t{end_of(life)} + 1];
  }
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  ends_.resize(next.back());
  for (std::uint32_t life = 0; life < lives_.size(); ++life) {
    if (counts(life)) ends_[next[end_of(life)]++] = life;
  }
  places_.reserve(blocks());
  Place place;
  for (std::size_t block = 0; block < blocks(); ++block)
    places_.push_back(place = go(place, first_of(block), [](std::uint32_t, bool) {}));
}

}  // namespace vizd
