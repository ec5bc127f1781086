// RankedValues: which of very many values stand at given places of their sorted order, without sorting them: counted by
// parts of their range, so that only the values of one part have to be looked at closely. Refers to the values. Pure.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vizd {

template <typename Value>
class RankedValues {
 public:
  // least and most are those of the values, of which there is one at least.
  RankedValues(std::span<const Value> values, Value least, Value most) : values_(values), least_(least) {
    const auto width = static_cast<int>(std::bit_width(distance(most)));
    shift_ = width > kPartBits ? width - kPartBits : 0;
    for (const Value value : values) ++counts_[part_of(value)];
  }

  // place is less than the number of values.
  Value at(std::size_t place) {
    std::size_t part = 0;
    for (; place >= counts_[part]; ++part) place -= counts_[part];
    if (shift_ == 0) return static_cast<Value>(least_ + static_cast<Value>(part));
    if (part != gathered_part_) gather(part);
    if (gathered_.size() > kMostSorted) {
      const auto [least, most] = std::ranges::minmax(gathered_);
      return RankedValues(gathered_, least, most).at(place);
    }
    const auto at = gathered_.begin() + static_cast<std::ptrdiff_t>(place);
    std::ranges::nth_element(gathered_, at);
    return *at;
  }

 private:
  static constexpr int kPartBits = 11;
  static constexpr std::size_t kParts = std::size_t{1} << kPartBits, kMostSorted = 1 << 16;

  std::uint64_t distance(Value value) const {
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least_);
  }
  std::size_t part_of(Value value) const { return static_cast<std::size_t>(distance(value) >> shift_); }

  void gather(std::size_t part) {
    gathered_.clear();
    gathered_.reserve(counts_[part]);
    for (const Value value : values_) {
      if (part_of(value) == part) gathered_.push_back(value);
    }
    gathered_part_ = part;
  }

  const std::span<const Value> values_;
  const Value least_;
  int shift_ = 0;
  std::array<std::size_t, kParts> counts_{};
  std::size_t gathered_part_ = kParts;
  std::vector<Value> gathered_;
};

}  // namespace vizd
