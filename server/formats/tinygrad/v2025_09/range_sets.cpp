#include "formats/tinygrad/v2025_09/range_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace vizd::tinygrad_2025_09 {
namespace {

struct AxisColour {
  std::string_view axis;
  int code;  // of an ANSI escape
};

// codegen/opt axis_colors with helpers.colored
constexpr std::array<AxisColour, 9> kAxisColours = {{{"GLOBAL", 34},
                                                     {"THREAD", 94},
                                                     {"LOCAL", 36},
                                                     {"WARP", 96},
                                                     {"LOOP", 97},
                                                     {"UPCAST", 33},
                                                     {"GROUP_REDUCE", 32},
                                                     {"REDUCE", 31},
                                                     {"UNROLL", 35}}};

std::optional<int> colour_of(const ValueTable& values, ValueId axis) {
  if (values.kind(axis) != ValueKind::kEnum || values.type_name(axis) != "tinygrad.uop.ops.AxisType") {
    return std::nullopt;
  }
  const auto found = std::ranges::find(kAxisColours, values.text(axis), &AxisColour::axis);
  return found == kAxisColours.end() ? std::nullopt : std::optional(found->code);
}

}  // namespace

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

const std::optional<std::string>& RangeSets::text(RangesId set) {
  const auto [entry, is_new] = texts_.try_emplace(set);
  if (is_new) entry->second = find_text(set);
  return entry->second;
}

std::optional<std::string> RangeSets::find_text(RangesId set) const {
  struct Labelled {
    std::vector<std::int64_t> numbers;  // arg without the axis type
    int colour;
  };
  std::vector<Labelled> labelled;
  for (const std::uint32_t i : sets_.get(static_cast<std::uint32_t>(set))) {
    const auto arg = values_.items(ranges_[i].arg);
    const auto colour = arg.empty() ? std::nullopt : colour_of(values_, arg.back());
    if (arg.size() < 2 || !colour) return std::nullopt;
    Labelled& range = labelled.emplace_back(Labelled{{}, *colour});
    for (const ValueId number : arg.first(arg.size() - 1)) {
      if (values_.kind(number) != ValueKind::kInt) return std::nullopt;
      range.numbers.push_back(values_.as_int(number));
    }
  }
  std::ranges::stable_sort(labelled, {}, &Labelled::numbers);
  std::string text;
  for (const Labelled& range : labelled) {
    text += fmt::format("{}\x1b[{}m{}\x1b[0m", text.empty() ? "(" : ",", range.colour, range.numbers[0]);
  }
  return text + ")";
}

}  // namespace vizd::tinygrad_2025_09
