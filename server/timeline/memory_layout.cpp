#include "timeline/memory_layout.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/assert.h"

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
  std::size_t count = 0;
  for_each_change(allocations, [&](std::uint32_t, Change) { ++count; });
  LargeVector<Change> changes(count, kNone);
  // Where the orders count all changes through, each says its change's place.
  bool is_counted = true;
  for_each_change(allocations, [&](std::uint32_t order, Change change) {
    is_counted = is_counted && order < count && changes[order] == kNone;
    if (is_counted) changes[order] = change;
  });
  if (is_counted) return changes;
  struct Ordered {
    std::uint32_t order;
    Change change;
  };
  LargeVector<Ordered> ordered;
  ordered.reserve(count);
  for_each_change(allocations, [&](std::uint32_t order, Change change) { ordered.push_back({order, change}); });
  std::ranges::sort(ordered, {}, &Ordered::order);
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
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < allocations.size(); ++i) {
    if (allocations[i].size_bytes() > 0) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return allocations[i].address; });
  std::uint64_t cut_bytes = order.empty() ? 0 : allocations[order.front()].address;
  std::uint64_t used_until = cut_bytes;
  for (const std::uint32_t i : order) {
    const std::uint64_t address = allocations[i].address, size = allocations[i].size_bytes();
    if (address > used_until && address - used_until > kLargestGapBytes) cut_bytes += address - used_until;
    used_until = std::max(used_until, size > ~address ? ~std::uint64_t{0} : address + size);
    offsets[i] = address - cut_bytes;
    layout.height_bytes = std::max(layout.height_bytes, add_bytes(std::min(offsets[i], kMostBytes), size));
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

void place(std::span<const Allocation> allocations, std::span<const Change> changes, MemoryLayout& layout) {
  LargeVector<std::uint64_t> offsets(allocations.size());
  if (layout.addressed) {
    place_by_address(allocations, offsets, layout);
  } else {
    place_by_best_fit(allocations, changes, offsets, layout);
  }
  layout.offset_bytes = packed(offsets);
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

}  // namespace

MemoryLayout memory_layout(std::span<const Allocation> allocations) {
  VIZD_ASSERT(allocations.size() < std::size_t{1} << 31);
  MemoryLayout layout;
  const LargeVector<Change> changes = changes_in_order(allocations);
  layout.addressed = has_addresses(allocations);
  place(allocations, changes, layout);
  Lives lives{LargeVector<std::uint32_t>(allocations.size()),
              LargeVector<std::uint32_t>(allocations.size(), MemoryLayout::kNever)};
  const std::uint32_t peak = sum_up(allocations, changes, lives, layout);
  for (std::uint32_t i = 0; i < allocations.size() && layout.peak_bytes > 0; ++i) {
    if (lives.birth[i] <= peak && lives.death[i] > peak) layout.at_peak.push_back(i);
  }
  layout.changes = packed(changes);
  layout.birth = packed(lives.birth);
  layout.death = packed(lives.death);
  layout.at_ns.shrink();
  layout.live_bytes.shrink();
  return layout;
}

}  // namespace vizd
