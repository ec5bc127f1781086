#include "timeline/memory_layout.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/assert.h"
#include "base/hash_index.h"
#include "base/parallel.h"

namespace vizd {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 63;

std::uint64_t add_bytes(std::uint64_t a, std::uint64_t b) { return std::min(a + std::min(b, kMostBytes), kMostBytes); }

// Best fit with coalescing in an address space without end: the smallest hole that fits, the lowest of equal ones,
// else at the top.
class BestFit {
 public:
  std::uint64_t take(std::uint64_t size) {
    if (size == 0) return 0;
    const auto best = by_size_.lower_bound({size, 0});
    if (best == by_size_.end()) {
      const std::uint64_t offset = top_;
      top_ = add_bytes(top_, size);
      return offset;
    }
    const auto [hole_size, offset] = *best;
    remove_hole(offset, hole_size);
    if (hole_size > size) add_hole(offset + size, hole_size - size);
    return offset;
  }

  void give_back(std::uint64_t offset, std::uint64_t size) {
    if (size == 0) return;
    std::uint64_t end = add_bytes(offset, size);
    if (const auto next = holes_.find(end); next != holes_.end()) {
      end += next->second;
      remove_hole(next->first, next->second);
    }
    if (const auto after = holes_.lower_bound(offset); after != holes_.begin()) {
      const auto [before, before_size] = *std::prev(after);
      if (before + before_size == offset) {
        offset = before;
        remove_hole(before, before_size);
      }
    }
    if (end == top_) {
      top_ = offset;
    } else {
      add_hole(offset, end - offset);
    }
  }

  std::uint64_t top() const { return top_; }

 private:
  void add_hole(std::uint64_t offset, std::uint64_t size) {
    holes_.emplace(offset, size);
    by_size_.emplace(size, offset);
  }
  void remove_hole(std::uint64_t offset, std::uint64_t size) {
    holes_.erase(offset);
    by_size_.erase({size, offset});
  }

  std::uint64_t top_ = 0;
  // Size by offset, below top_, never touching each other or top_.
  std::map<std::uint64_t, std::uint64_t> holes_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;
};

// A change as MemoryLayout::changes has it: of no more allocations than memory holds.
using Change = std::uint32_t;

Change change_of(std::uint32_t allocation, bool is_death) { return allocation * 2 + (is_death ? 1 : 0); }

// Calls visit(order, change) for each allocation and each free.
template <typename Visit>
void for_each_change(std::span<const Allocation> allocations, Visit&& visit) {
  for (std::uint32_t i = 0; i < allocations.size(); ++i) {
    visit(allocations[i].birth_order, change_of(i, false));
    if (!allocations[i].freed) continue;
    VIZD_ASSERT(allocations[i].death_order > allocations[i].birth_order);
    visit(allocations[i].death_order, change_of(i, true));
  }
}

LargeVector<Change> changes_in_order(std::span<const Allocation> allocations) {
  constexpr Change kNone = ~Change{0};
  std::size_t count = 0, places = 0;
  for_each_change(allocations, [&](std::uint32_t order, Change) {
    ++count;
    places = std::max(places, std::size_t{order} + 1);
  });
  // Where the orders count all changes through, or nearly so, each says its change's place.
  constexpr std::size_t kMostPlaces = 4;  // for each change
  bool is_counted = places / kMostPlaces <= count;
  LargeVector<Change> changes(is_counted ? places : count, kNone);
  for_each_change(allocations, [&](std::uint32_t order, Change change) {
    is_counted = is_counted && changes[order] == kNone;
    if (is_counted) changes[order] = change;
  });
  if (is_counted) {
    std::erase(changes, kNone);
    return changes;
  }
  struct Ordered {
    std::uint32_t order;
    Change change;
  };
  LargeVector<Ordered> ordered;
  ordered.reserve(count);
  for_each_change(allocations, [&](std::uint32_t order, Change change) { ordered.push_back({order, change}); });
  std::ranges::sort(ordered, {}, &Ordered::order);
  changes.resize(count);
  std::ranges::transform(ordered, changes.begin(), &Ordered::change);
  return changes;
}

template <typename T>
PackedIntegers packed(const LargeVector<T>& values) {
  PackedIntegers column;
  for (const T value : values) column.push_back(static_cast<std::int64_t>(value));
  column.shrink();
  return column;
}

bool has_addresses(std::span<const Allocation> allocations) {
  return !allocations.empty() && std::ranges::all_of(allocations, [](const Allocation& a) {
    return a.address != Allocation::kNoAddress || a.size_bytes() == 0;
  });
}

// Offsets from addresses. Ranges of more than kLargestGapBytes that nothing ever used are cut out: a device's segments
// lie anywhere in 64 bits.
void place_by_address(std::span<const Allocation> allocations, std::span<std::uint64_t> offsets, MemoryLayout& layout) {
  constexpr std::uint64_t kLargestGapBytes = std::uint64_t{2} << 20;
  // An allocator gives the same addresses again and again.
  struct Used {
    std::uint64_t address = 0, size_bytes = 0;  // of the largest there
    std::uint64_t offset = 0;
  };
  LargeVector<Used> used;
  HashIndex by_address;
  LargeVector<std::uint32_t> used_by(allocations.size(), kNoId);
  for (std::uint32_t i = 0; i < allocations.size(); ++i) {
    const std::uint64_t address = allocations[i].address, size = allocations[i].size_bytes();
    if (size == 0) continue;
    const std::uint32_t hash = mix_hash(static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32));
    std::uint32_t place = by_address.find(hash, [&](std::uint32_t at) { return used[at].address == address; });
    if (place == HashIndex::kNone) {
      place = static_cast<std::uint32_t>(used.size());
      by_address.add(hash, place);
      used.push_back({.address = address});
    }
    used[place].size_bytes = std::max(used[place].size_bytes, size);
    used_by[i] = place;
  }
  LargeVector<std::uint32_t> order(used.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t place) { return used[place].address; });
  std::uint64_t cut_bytes = order.empty() ? 0 : used[order.front()].address;
  std::uint64_t used_until = cut_bytes;
  for (const std::uint32_t place : order) {
    const auto [address, size, unset] = used[place];
    if (address > used_until && address - used_until > kLargestGapBytes) cut_bytes += address - used_until;
    used_until = std::max(used_until, size > ~address ? ~std::uint64_t{0} : address + size);
    used[place].offset = address - cut_bytes;
    layout.height_bytes = std::max(layout.height_bytes, add_bytes(std::min(address - cut_bytes, kMostBytes), size));
  }
  for (std::uint32_t i = 0; i < allocations.size(); ++i) {
    if (used_by[i] != kNoId) offsets[i] = used[used_by[i]].offset;
  }
}

void place_by_best_fit(std::span<const Allocation> allocations, std::span<const Change> changes,
                       std::span<std::uint64_t> offsets, MemoryLayout& layout) {
  BestFit space;
  for (const Change change : changes) {
    const auto allocation = static_cast<std::size_t>(change / 2);
    const std::uint64_t size = allocations[allocation].size_bytes();
    if (change % 2 != 0) {
      space.give_back(offsets[allocation], size);
    } else {
      offsets[allocation] = space.take(size);
    }
    layout.height_bytes = std::max(layout.height_bytes, space.top());
  }
}

// Which changes begin and end each allocation.
struct Lives {
  LargeVector<std::uint32_t> birth, death;
};

// Sums up what lives after each change; finds the peak. Returns the change that reaches it.
std::uint32_t sum_up(std::span<const Allocation> allocations, std::span<const Change> changes, Lives& lives,
                     MemoryLayout& layout) {
  std::uint64_t live_bytes = 0;
  std::uint32_t peak = 0;
  for (std::uint32_t i = 0; i < changes.size(); ++i) {
    const auto place = static_cast<std::size_t>(changes[i] / 2);
    const bool is_death = changes[i] % 2 != 0;
    const Allocation& allocation = allocations[place];
    const std::uint64_t size = allocation.size_bytes();
    (is_death ? lives.death : lives.birth)[place] = i;
    live_bytes = is_death ? live_bytes - std::min(size, live_bytes) : add_bytes(live_bytes, size);
    layout.at_ns.push_back(is_death ? allocation.death_ns : allocation.birth_ns);
    layout.live_bytes.push_back(static_cast<std::int64_t>(live_bytes));
    if (live_bytes > layout.peak_bytes) {
      layout.peak_bytes = live_bytes;
      layout.peak_ns = allocation.birth_ns;
      peak = i;
    }
  }
  layout.end_bytes = live_bytes;
  return peak;
}

// When each lives, from changes in order.
void add_lives(std::span<const Allocation> allocations, std::span<const Change> changes, MemoryLayout& layout) {
  Lives lives{LargeVector<std::uint32_t>(allocations.size()),
              LargeVector<std::uint32_t>(allocations.size(), MemoryLayout::kNever)};
  const std::uint32_t peak = sum_up(allocations, changes, lives, layout);
  for (std::uint32_t i = 0; i < allocations.size() && layout.peak_bytes > 0; ++i) {
    if (lives.birth[i] <= peak && lives.death[i] > peak) layout.at_peak.push_back(i);
  }
  layout.birth = packed(lives.birth);
  layout.death = packed(lives.death);
  layout.at_ns.shrink();
  layout.live_bytes.shrink();
}

}  // namespace

MemoryLayout memory_layout(std::span<const Allocation> allocations) {
  VIZD_ASSERT(allocations.size() < std::size_t{1} << 31);
  MemoryLayout layout;
  layout.addressed = has_addresses(allocations);
  LargeVector<std::uint64_t> offsets(allocations.size());
  const auto place_and_live = [&](std::size_t part) {
    if (part == 0 && layout.addressed) {
      place_by_address(allocations, offsets, layout);
    } else if (part == 1) {
      const LargeVector<Change> changes = changes_in_order(allocations);
      if (!layout.addressed) place_by_best_fit(allocations, changes, offsets, layout);
      add_lives(allocations, changes, layout);
      layout.changes = packed(changes);
    }
  };
  constexpr std::size_t kFew = 10'000;  // not worth a thread
  for_each_index(2, allocations.size() < kFew ? 1 : core_count(), place_and_live);
  layout.offset_bytes = packed(offsets);
  return layout;
}

}  // namespace vizd
