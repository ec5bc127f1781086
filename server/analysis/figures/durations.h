// Durations: how long the events of a name are, for medians and histograms. One thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vizd {

// Durations of one name: all of them, or how many of each of some sizes (64 to an octave, so that the middle of a size
// is within 0.8 % of all in it).
class Durations {
 public:
  void add(std::int64_t ns, bool exact) {
    if (exact) {
      all_.push_back(ns);
      return;
    }
    const std::size_t size = size_of(static_cast<std::uint64_t>(ns));
    if (size >= counts_.size()) counts_.resize(size + 1);
    ++counts_[size];
  }

  void add(const Durations& other) {
    all_.insert(all_.end(), other.all_.begin(), other.all_.end());
    counts_.resize(std::max(counts_.size(), other.counts_.size()));
    for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  }

  // The duration of that place among all in order.
  std::int64_t at(std::uint64_t place) {
    if (!all_.empty()) {
      const auto nth = all_.begin() + static_cast<std::ptrdiff_t>(place);
      std::nth_element(all_.begin(), nth, all_.end());
      return *nth;
    }
    std::size_t size = 0;
    for (std::uint64_t before = 0; (before += counts_[size]) <= place;) ++size;
    return middle_of(size);
  }

  // Calls visit(ns, how many) for each, or for each size.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const std::int64_t ns : all_) visit(ns, std::uint64_t{1});
    for (std::size_t size = 0; size < counts_.size(); ++size) {
      if (counts_[size] != 0) visit(middle_of(size), counts_[size]);
    }
  }

 private:
  static std::size_t size_of(std::uint64_t ns) {
    if (ns < 128) return static_cast<std::size_t>(ns);
    const auto shift = static_cast<unsigned>(std::bit_width(ns)) - 7;
    return 64 * shift + static_cast<std::size_t>(ns >> shift);
  }
  static std::int64_t middle_of(std::size_t size) {
    if (size < 128) return static_cast<std::int64_t>(size);
    const std::size_t shift = size / 64 - 1, top = size - 64 * shift;
    return static_cast<std::int64_t>((std::uint64_t{top} << shift) + (std::uint64_t{1} << (shift - 1)));
  }

  std::vector<std::int64_t> all_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace vizd
