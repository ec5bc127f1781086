// VisitBudget: how much of a pickle's containers its reader may go through. A container that stands in a second place
// costs the file two bytes there, so a small file can ask for more visits than any machine makes. A reader may visit as
// many items as the file has bytes, which is more than it has items, and a quarter of a million again. One thread.
#pragma once

#include <cstdint>

namespace vizd::pickle {

class VisitBudget {
 public:
  static constexpr std::uint64_t kMostShared = std::uint64_t{1} << 18;

  explicit VisitBudget(std::uint64_t file_bytes) : left_(file_bytes + kMostShared) {}

  // Whether so many items may be visited. False from then on: the reader leaves the rest out, and counts it.
  bool take(std::uint64_t items) {
    is_over_ = is_over_ || items > left_;
    if (!is_over_) left_ -= items;
    return !is_over_;
  }

 private:
  std::uint64_t left_;
  bool is_over_ = false;
};

}  // namespace vizd::pickle
