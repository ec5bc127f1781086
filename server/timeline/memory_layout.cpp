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

struct Change {
  std::uint32_t order;
  std::uint32_t allocation;
  bool is_death;
};

std::vector<Change> changes_in_order(std::span<const Allocation> allocations) {
  std::vector<Change> changes;
  changes.reserve(allocations.size() * 2);
  for (std::uint32_t i = 0; i < allocations.size(); ++i) {
    changes.push_back({allocations[i].birth_order, i, false});
    if (!allocations[i].freed) continue;
    VIZD_ASSERT(allocations[i].death_order > allocations[i].birth_order);
    changes.push_back({allocations[i].death_order, i, true});
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.order < b.order; });
  return changes;
}

}  // namespace

MemoryLayout memory_layout(std::span<const Allocation> allocations) {
  MemoryLayout layout;
  layout.offset_bytes.resize(allocations.size());
  const std::vector<Change> changes = changes_in_order(allocations);
  layout.live.reserve(changes.size());
  BestFit space;
  std::uint64_t live_bytes = 0;
  std::uint32_t peak_order = 0;
  for (const Change& change : changes) {
    const Allocation& allocation = allocations[change.allocation];
    const std::uint64_t size = allocation.size_bytes();
    std::uint64_t& offset = layout.offset_bytes[change.allocation];
    if (change.is_death) {
      space.give_back(offset, size);
      live_bytes -= std::min(size, live_bytes);
    } else {
      offset = space.take(size);
      live_bytes = add_bytes(live_bytes, size);
    }
    layout.height_bytes = std::max(layout.height_bytes, space.top());
    layout.live.push_back({change.is_death ? allocation.death_ns : allocation.birth_ns, live_bytes});
    if (live_bytes > layout.peak_bytes) {
      layout.peak_bytes = live_bytes;
      layout.peak_ns = allocation.birth_ns;
      peak_order = change.order;
    }
  }
  layout.end_bytes = live_bytes;
  for (std::uint32_t i = 0; i < allocations.size() && layout.peak_bytes > 0; ++i) {
    const bool dead = allocations[i].freed && allocations[i].death_order <= peak_order;
    if (allocations[i].birth_order <= peak_order && !dead) layout.at_peak.push_back(i);
  }
  return layout;
}

}  // namespace vizd
