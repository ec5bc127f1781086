#include "timeline/lane_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace vizd {
namespace {

constexpr std::int64_t kFree = std::numeric_limits<std::int64_t>::min();

// Where the last event of each row ends, in a tree over the rows with the earliest and latest end under each node, so
// that a thousand events across each other do not make a thousand steps for each.
class RowEnds {
 public:
  std::size_t size() const { return size_; }

  // Rows beyond size() are free; setting the next one adds it.
  void set(std::size_t row, std::int64_t end_ns) {
    if (row >= capacity_) grow();
    size_ = std::max(size_, row + 1);
    std::size_t node = capacity_ + row;
    latest_[node] = earliest_[node] = end_ns;
    while ((node /= 2) > 0) refresh(node);
  }

  // The deepest row whose event ends at end_ns or later, or size() where there is none.
  std::size_t deepest_until(std::int64_t end_ns) const {
    if (size_ == 0 || latest_[1] < end_ns) return size_;
    std::size_t node = 1;
    while (node < capacity_) node = latest_[2 * node + 1] >= end_ns ? 2 * node + 1 : 2 * node;
    return node - capacity_;
  }

  // The first row from `from` on whose event has ended by start_ns; size() where none has.
  std::size_t first_free(std::size_t from, std::int64_t start_ns) const {
    if (from >= size_) return size_;
    std::size_t node = capacity_ + from;
    // Up while nothing under the node is free, to the next subtree on the right; then down to its first free row.
    while (earliest_[node] > start_ns) {
      while (node % 2 == 1) node /= 2;
      if (node == 0) return size_;
      ++node;
    }
    while (node < capacity_) node = earliest_[2 * node] <= start_ns ? 2 * node : 2 * node + 1;
    return std::min(node - capacity_, size_);
  }

 private:
  void grow() {
    const std::vector<std::int64_t> ends(latest_.begin() + static_cast<std::ptrdiff_t>(capacity_), latest_.end());
    capacity_ = std::max<std::size_t>(8, capacity_ * 2);
    latest_.assign(2 * capacity_, kFree);
    earliest_.assign(2 * capacity_, kFree);
    std::copy(ends.begin(), ends.end(), latest_.begin() + static_cast<std::ptrdiff_t>(capacity_));
    std::copy(ends.begin(), ends.end(), earliest_.begin() + static_cast<std::ptrdiff_t>(capacity_));
    for (std::size_t node = capacity_ - 1; node > 0; --node) refresh(node);
  }

  void refresh(std::size_t node) {
    latest_[node] = std::max(latest_[2 * node], latest_[2 * node + 1]);
    earliest_[node] = std::min(earliest_[2 * node], earliest_[2 * node + 1]);
  }

  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::vector<std::int64_t> latest_, earliest_;  // node n has children 2n and 2n+1; rows are the last capacity_ nodes
};

std::int64_t duration(const Event& event) { return std::max<std::int64_t>(event.dur_ns, 0); }

}  // namespace

LaneRows lane_rows(std::span<const Event> events) {
  LaneRows rows;
  rows.order.resize(events.size());
  std::iota(rows.order.begin(), rows.order.end(), 0u);
  std::stable_sort(rows.order.begin(), rows.order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (events[a].start_ns != events[b].start_ns) return events[a].start_ns < events[b].start_ns;
    return duration(events[a]) > duration(events[b]);
  });
  rows.row.resize(events.size());
  rows.parent.assign(events.size(), kNoId);

  RowEnds ends;
  std::vector<std::uint32_t> last;  // the last event of each row
  for (const std::uint32_t i : rows.order) {
    const std::int64_t start_ns = events[i].start_ns;
    const std::int64_t end_ns = start_ns + duration(events[i]);
    // An event of no length lies in what is going on, not in what ends there.
    const std::size_t holder = ends.deepest_until(std::max(end_ns, start_ns + 1));
    const std::size_t wanted = holder == ends.size() ? 0 : holder + 1;
    const std::size_t row = ends.first_free(wanted, start_ns);
    if (wanted > 0) rows.parent[i] = last[holder];
    if (row != wanted) ++rows.relaned;
    ends.set(row, end_ns);
    last.resize(ends.size());
    last[row] = i;
    rows.row[i] = static_cast<std::uint32_t>(row);
  }
  rows.row_count = static_cast<std::uint32_t>(ends.size());
  return rows;
}

}  // namespace vizd
