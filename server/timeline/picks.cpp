#include "timeline/picks.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/parallel.h"

namespace vizd {
namespace {

Picks count_all(Picks picks) {
  for (LanePicks& lane : picks.lanes) {
    lane.count();
    picks.total += lane.total();
  }
  return picks;
}

}  // namespace

void LanePicks::set_all() {
  std::ranges::fill(words_, ~std::uint64_t{0});
  if (events_ % 64 != 0) words_.back() = (std::uint64_t{1} << (events_ % 64)) - 1;
}

void LanePicks::keep_common(const LanePicks& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
}

void LanePicks::count() {
  before_.resize(words_.size());
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    before_[i] = sum;
    sum += static_cast<std::uint32_t>(std::popcount(words_[i]));
  }
}

std::uint32_t LanePicks::rank(std::uint32_t event) const {
  if (words_.empty()) return 0;
  const std::size_t word = std::min<std::size_t>(event / 64, words_.size() - 1);
  const std::uint32_t bits = event - static_cast<std::uint32_t>(word * 64);
  const std::uint64_t below = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  return before_[word] + static_cast<std::uint32_t>(std::popcount(words_[word] & below));
}

std::uint32_t LanePicks::next(std::uint32_t event, std::uint32_t end) const {
  while (event < end) {
    const std::uint64_t rest = words_[event / 64] >> (event % 64);
    if (rest != 0) return std::min(end, event + static_cast<std::uint32_t>(std::countr_zero(rest)));
    event = (event / 64 + 1) * 64;
  }
  return end;
}

std::uint32_t LanePicks::previous(std::uint32_t event, std::uint32_t begin) const {
  while (event > begin) {
    const std::uint32_t last = event - 1, word = last / 64;
    const std::uint64_t rest = words_[word] << (63 - last % 64);
    if (rest != 0) {
      const std::uint32_t found = last - static_cast<std::uint32_t>(std::countl_zero(rest));
      return found >= begin ? found : kNoId;
    }
    event = word * 64;
  }
  return kNoId;
}

std::size_t Picks::memory_bytes() const {
  std::size_t bytes = sizeof(Picks);
  for (const LanePicks& lane : lanes) bytes += sizeof(LanePicks) + lane.memory_bytes();
  return bytes;
}

Picks find_by_name(const Capture& capture, StringId name, unsigned threads, const Budget& budget) {
  Picks picks;
  picks.lanes.resize(capture.profile.tracks.size());
  for_each_index(picks.lanes.size(), threads, [&](std::size_t l) {
    const EventColumns& events = capture.profile.tracks[l].events;
    const Budget mine = budget;
    picks.lanes[l] = LanePicks(events.size());
    for_each_within(mine, static_cast<std::uint32_t>(events.size()), [&](std::uint32_t i) {
      if (events.name(i) == name) picks.lanes[l].set(i);
    });
  });
  return count_all(std::move(picks));
}

Picks find_slowest(const Capture& capture, const Timeline& timeline, const Budget& budget) {
  struct Slow {
    std::int64_t length_ns, start_ns;
    std::uint32_t lane, event;
    // Ties are broken by order: the first wins.
    bool operator<(const Slow& other) const {
      return std::tuple(other.length_ns, start_ns, lane, event) <
             std::tuple(length_ns, other.start_ns, other.lane, other.event);
    }
  };
  const std::vector<Track>& lanes = capture.profile.tracks;
  std::vector<std::uint64_t> counts(timeline.names.size());
  for (const Track& lane : lanes) {
    for_each_within(budget, static_cast<std::uint32_t>(lane.events.size()),
                    [&](std::uint32_t i) { ++counts[timeline.number_of(lane.events.name(i))]; });
  }
  // For each name, a heap of its slowest events so far, the least of them on top.
  std::vector<std::vector<Slow>> slowest(timeline.names.size());
  Picks picks;
  for (std::uint32_t l = 0; l < lanes.size(); ++l) {
    const EventColumns& events = lanes[l].events;
    picks.lanes.emplace_back(events.size());
    for_each_within(budget, static_cast<std::uint32_t>(events.size()), [&](std::uint32_t i) {
      const std::uint32_t name = timeline.number_of(events.name(i));
      std::vector<Slow>& heap = slowest[name];
      const Slow event{events.length_ns(i), events.start_ns(i), l, i};
      if (heap.size() < std::max<std::uint64_t>(counts[name] / kOneInSlowest, 1)) {
        heap.push_back(event);
      } else if (event < heap.front()) {
        std::pop_heap(heap.begin(), heap.end());
        heap.back() = event;
      } else {
        return;
      }
      std::push_heap(heap.begin(), heap.end());
    });
  }
  for (const std::vector<Slow>& heap : slowest) {
    for (const Slow& event : heap) picks.lanes[event.lane].set(event.event);
  }
  return count_all(std::move(picks));
}

}  // namespace vizd
