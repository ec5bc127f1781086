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

// The events by start, the longer first, those alike as they were: merges the runs that are in order already, which in
// most captures is all of them.
LargeVector<std::uint32_t> order_of(const EventColumns& events) {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (events.start_ns(a) != events.start_ns(b)) return events.start_ns(a) < events.start_ns(b);
    return events.length_ns(a) > events.length_ns(b);
  };
  LargeVector<std::uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::size_t> ends;  // of the runs
  for (std::uint32_t i = 1; i < order.size(); ++i) {
    if (before(i, i - 1)) ends.push_back(i);
  }
  if (ends.empty()) return order;
  ends.push_back(order.size());
  LargeVector<std::uint32_t> merged(order.size());
  const auto at = [](LargeVector<std::uint32_t>& v, std::size_t i) {
    return v.begin() + static_cast<std::ptrdiff_t>(i);
  };
  while (ends.size() > 1) {
    std::vector<std::size_t> longer;
    for (std::size_t i = 0, begin = 0; i < ends.size(); begin = longer.back(), i += 2) {
      const std::size_t middle = ends[i], end = ends[std::min(i + 1, ends.size() - 1)];
      std::merge(at(order, begin), at(order, middle), at(order, middle), at(order, end), at(merged, begin), before);
      longer.push_back(end);
    }
    order.swap(merged);
    ends.swap(longer);
  }
  return order;
}

}  // namespace

LaneRows lane_rows(const EventColumns& events) {
  LaneRows rows;
  rows.order = order_of(events);
  rows.row.resize(events.size());
  rows.parent.assign(events.size(), kNoId);

  RowEnds ends;
  std::vector<std::uint32_t> last;  // the last event of each row
  std::int64_t busy_until_ns = events.empty() ? 0 : events.start_ns(rows.order.front());
  for (const std::uint32_t i : rows.order) {
    const std::int64_t start_ns = events.start_ns(i);
    const std::int64_t end_ns = events.end_ns(i);
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
    if (end_ns > busy_until_ns) {
      rows.busy_ns += end_ns - std::max(start_ns, busy_until_ns);
      busy_until_ns = end_ns;
    }
  }
  rows.row_count = static_cast<std::uint32_t>(ends.size());
  return rows;
}

}  // namespace vizd
