// SliceLanes: slices of a track in Perfetto's page lie within each other or apart; those that overlap get lanes of
// their own. Says for each slice, in the order of their starts, which is the first lane that takes it, in time that
// grows as the logarithm of the lanes. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace vizd::perfetto {

class SliceLanes {
 public:
  static constexpr std::int64_t kNever_ns = std::numeric_limits<std::int64_t>::max();

  // Calls close(lane, end_ns) for each slice that ends until at_ns, the first to end first.
  template <typename Close>
  void close_until(std::int64_t at_ns, Close&& close) {
    while (!ends_.empty() && ends_.top().first <= at_ns) {
      const auto [end_ns, lane] = ends_.top();
      ends_.pop();
      open_[lane].pop_back();
      set_innermost(lane);
      close(lane, end_ns);
    }
  }

  // The first lane where nothing is open that ends before end_ns; one more than there are where all hold such.
  std::size_t first_for(std::int64_t end_ns) const {
    std::size_t node = 1;
    while (node < leaf_count()) {
      node *= 2;
      if (innermost_ns_[node] < end_ns) ++node;
    }
    return node - leaf_count();
  }

  // Opens a slice in the lane that first_for() named.
  void open(std::size_t lane, std::int64_t end_ns) {
    if (lane == open_.size()) open_.emplace_back();
    open_[lane].push_back(end_ns);
    if (end_ns != kNever_ns) ends_.emplace(end_ns, lane);
    if (open_.size() == leaf_count()) grow();
    set_innermost(lane);
  }

 private:
  std::size_t leaf_count() const { return innermost_ns_.size() / 2; }
  std::int64_t innermost_ns(std::size_t lane) const {
    return lane >= open_.size() || open_[lane].empty() ? kNever_ns : open_[lane].back();
  }

  void set_innermost(std::size_t lane) {
    std::size_t node = leaf_count() + lane;
    innermost_ns_[node] = innermost_ns(lane);
    for (node /= 2; node > 0; node /= 2)
      innermost_ns_[node] = std::max(innermost_ns_[2 * node], innermost_ns_[2 * node + 1]);
  }

  void grow() {
    innermost_ns_.assign(2 * innermost_ns_.size(), kNever_ns);
    for (std::size_t lane = 0; lane < open_.size(); ++lane) innermost_ns_[leaf_count() + lane] = innermost_ns(lane);
    for (std::size_t node = leaf_count() - 1; node > 0; --node)
      innermost_ns_[node] = std::max(innermost_ns_[2 * node], innermost_ns_[2 * node + 1]);
  }

  std::vector<std::vector<std::int64_t>> open_;  // ends of each lane's open slices, the innermost last
  // A tree: of each node the latest of the innermost ends below it. Its leaves are the lanes, and one more at least
  // that holds nothing yet; node 1 is the root.
  std::vector<std::int64_t> innermost_ns_ = std::vector<std::int64_t>(4, kNever_ns);
  using End = std::pair<std::int64_t, std::size_t>;  // and its lane
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace vizd::perfetto
