#include "formats/tinygrad/printing/range_sets.h"

#include <algorithm>

namespace vizd::tinygrad {

RangesId RangeSets::only(OpId range, ValueId arg) {
  const auto hash = mix_hash(static_cast<std::uint32_t>(range), static_cast<std::uint32_t>(arg));
  auto i = range_index_.find(hash, [&](std::uint32_t r) { return ranges_[r].op == range && ranges_[r].arg == arg; });
  if (i == HashIndex::kNone) {
    i = static_cast<std::uint32_t>(ranges_.size());
    ranges_.push_back({range, arg});
    range_index_.add(hash, i);
  }
  return static_cast<RangesId>(sets_.add({&i, 1}));
}

RangesId RangeSets::merged(RangesId a, RangesId b) {
  if (a == b || b == RangesId::kEmpty) return a;
  return a == RangesId::kEmpty ? b : combined(a, b, true);
}

RangesId RangeSets::without(RangesId a, RangesId b) {
  if (a == b) return RangesId::kEmpty;
  return a == RangesId::kEmpty || b == RangesId::kEmpty ? a : combined(a, b, false);
}

RangesId RangeSets::combined(RangesId a, RangesId b, bool is_merged) {
  const auto hash = mix_hash(mix_hash(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)), is_merged ? 1 : 0);
  const auto found = combined_index_.find(hash, [&](std::uint32_t i) {
    return combined_[i].a == a && combined_[i].b == b && combined_[i].is_merged == is_merged;
  });
  if (found != HashIndex::kNone) return combined_[found].result;
  const auto in_a = sets_.get(static_cast<std::uint32_t>(a)), in_b = sets_.get(static_cast<std::uint32_t>(b));
  const auto is_in = [](std::span<const std::uint32_t> set, std::uint32_t range) {
    return std::ranges::find(set, range) != set.end();
  };
  std::vector<std::uint32_t> result;
  for (const std::uint32_t range : in_a) {
    if (is_merged || !is_in(in_b, range)) result.push_back(range);
  }
  for (const std::uint32_t range : in_b) {
    if (is_merged && !is_in(in_a, range)) result.push_back(range);
  }
  const auto id = static_cast<RangesId>(sets_.add(result));
  combined_index_.add(hash, static_cast<std::uint32_t>(combined_.size()));
  combined_.push_back({a, b, is_merged, id});
  return id;
}

std::vector<RangeSets::Range> RangeSets::get(RangesId set) const {
  std::vector<Range> ranges;
  for (const std::uint32_t i : sets_.get(static_cast<std::uint32_t>(set))) ranges.push_back(ranges_[i]);
  return ranges;
}

}  // namespace vizd::tinygrad
