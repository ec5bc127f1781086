#include "formats/tinygrad/v2025_09/ranges_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "formats/tinygrad/printing/axis_colours.h"

namespace vizd::tinygrad_2025_09 {
namespace {

// codegen/opt axis_colors with helpers.colored
constexpr std::array<tinygrad::AxisColour, 9> kAxisColours = {{{"GLOBAL", 34},
                                                               {"THREAD", 94},
                                                               {"LOCAL", 36},
                                                               {"WARP", 96},
                                                               {"LOOP", 97},
                                                               {"UPCAST", 33},
                                                               {"GROUP_REDUCE", 32},
                                                               {"REDUCE", 31},
                                                               {"UNROLL", 35}}};

}  // namespace

std::optional<std::string> ranges_text(const ValueTable& values, std::span<const tinygrad::RangeSets::Range> ranges) {
  struct Labelled {
    std::vector<std::int64_t> numbers;  // arg without the axis type
    int colour;
  };
  std::vector<Labelled> labelled;
  for (const auto& range_op : ranges) {
    const auto arg = values.items(range_op.arg);
    const auto colour = arg.empty() ? std::nullopt : tinygrad::colour_of_axis(values, arg.back(), kAxisColours);
    if (arg.size() < 2 || !colour) return std::nullopt;
    Labelled& range = labelled.emplace_back(Labelled{{}, *colour});
    for (const ValueId number : arg.first(arg.size() - 1)) {
      if (values.kind(number) != ValueKind::kInt) return std::nullopt;
      range.numbers.push_back(values.as_int(number));
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
