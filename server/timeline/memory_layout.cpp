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
  std::map<std::uint64_t, std::uint64_t> holes_;  // size by offset, below top_, never touching each other or top_
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;
};

std::vector<MemoryChange> changes_in_order(std::span<const Allocation> allocations) {
  struct Ordered {
    std::uint32_t order;
    MemoryChange change;
  };
  std::vector<Ordered> ordered;
  ordered.reserve(allocations.size() * 2);
  for (std::uint32_t i = 0; i < allocations.size(); ++i) {
    ordered.push_back({allocations[i].birth_order, {i, false}});
    if (!allocations[i].freed) continue;
    VIZD_ASSERT(allocations[i].death_order > allocations[i].birth_order);
    ordered.push_back({allocations[i].death_order, {i, true}});
  }
  std::ranges::sort(ordered, {}, &Ordered::order);
  std::vector<MemoryChange> changes(ordered.size());
  std::ranges::transform(ordered, changes.begin(), &Ordered::change);
  return changes;
}

bool has_addresses(std::span<const Allocation> allocations) {
  return !allocations.empty() && std::ranges::all_of(allocations, [](const Allocation& a) {
    return a.address != Allocation::kNoAddress || a.size_bytes() == 0;
  });
}

// Offsets from addresses. Ranges of more than kLargestGapBytes that nothing ever used are cut out: a device's segments
// lie anywhere in 64 bits.
void place_by_address(std::span<const Allocation> allocations, MemoryLayout& layout) {
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
    layout.offset_bytes[i] = address - cut_bytes;
    layout.height_bytes = std::max(layout.height_bytes, add_bytes(std::min(layout.offset_bytes[i], kMostBytes), size));
  }
}

void place_by_best_fit(std::span<const Allocation> allocations, MemoryLayout& layout) {
  BestFit space;
  for (const MemoryChange& change : layout.changes) {
    const std::uint64_t size = allocations[change.allocation].size_bytes();
    std::uint64_t& offset = layout.offset_bytes[change.allocation];
    if (change.is_death) {
      space.give_back(offset, size);
    } else {
      offset = space.take(size);
    }
    layout.height_bytes = std::max(layout.height_bytes, space.top());
  }
}

}  // namespace

MemoryLayout memory_layout(std::span<const Allocation> allocations) {
  MemoryLayout layout;
  layout.offset_bytes.resize(allocations.size());
  layout.birth.resize(allocations.size());
  layout.death.assign(allocations.size(), MemoryLayout::kNever);
  layout.changes = changes_in_order(allocations);
  layout.addressed = has_addresses(allocations);
  layout.addressed ? place_by_address(allocations, layout) : place_by_best_fit(allocations, layout);

  layout.live.reserve(layout.changes.size());
  std::uint64_t live_bytes = 0;
  std::uint32_t peak = 0;
  for (std::uint32_t i = 0; i < layout.changes.size(); ++i) {
    const auto [place, is_death] = layout.changes[i];
    const Allocation& allocation = allocations[place];
    const std::uint64_t size = allocation.size_bytes();
    (is_death ? layout.death : layout.birth)[place] = i;
    live_bytes = is_death ? live_bytes - std::min(size, live_bytes) : add_bytes(live_bytes, size);
    layout.live.push_back({is_death ? allocation.death_ns : allocation.birth_ns, live_bytes});
    if (live_bytes > layout.peak_bytes) {
      layout.peak_bytes = live_bytes;
      layout.peak_ns = allocation.birth_ns;
      peak = i;
    }
  }
  layout.end_bytes = live_bytes;
  for (std::uint32_t i = 0; i < allocations.size() && layout.peak_bytes > 0; ++i) {
    if (layout.birth[i] <= peak && layout.death[i] > peak) layout.at_peak.push_back(i);
  }
  return layout;
}

}  // namespace vizd
