// The colours of a RANGE's axis, as tinygrad's own table of a version has them. Pure, any thread.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "model/value.h"

namespace vizd::tinygrad {

struct AxisColour {
  std::string_view axis;
  int code;  // of an ANSI escape
};

// Nothing where the value is no axis, or one without a colour.
inline std::optional<int> colour_of_axis(const ValueTable& values, ValueId axis, std::span<const AxisColour> colours) {
  if (values.kind(axis) != ValueKind::kEnum || values.type_name(axis) != "tinygrad.uop.ops.AxisType") {
    return std::nullopt;
  }
  const auto found = std::ranges::find(colours, values.text(axis), &AxisColour::axis);
  return found == colours.end() ? std::nullopt : std::optional(found->code);
}

}  // namespace vizd::tinygrad
