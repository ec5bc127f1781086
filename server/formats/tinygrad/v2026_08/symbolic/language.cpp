#include "formats/tinygrad/v2026_08/symbolic/language.h"

#include <cmath>

#include "formats/tinygrad/symbolic/expr_graph.h"
#include "formats/tinygrad/symbolic/shared_rules.h"
#include "formats/tinygrad/v2026_08/dtype.h"
#include "formats/tinygrad/v2026_08/dtype_rules.h"
#include "formats/tinygrad/v2026_08/shape_rules.h"

namespace vizd::tinygrad_2026_08 {
namespace {

bool is_finite(const Number& number) { return number.is_integer() || std::isfinite(number.real); }

// The bounds of a CAST, by what it casts.
Bounds bounds_of_cast(ExprGraph& graph, ExprId id) {
  const Scalar to = graph.scalar(id);
  const Number lowest = least(to), highest = greatest(to);
  if (graph.src(id).empty()) return {lowest, highest};
  Bounds inner = graph.bounds(graph.src(id, 0));
  if (is_finite(inner.least) && is_finite(inner.greatest)) {
    const auto converted = [&](const Number& number) {
      if (is_float(to) && !is_weak(to)) return Number::of_real(rounded(number.as_real(), to));
      return is_int(to) && !number.is_integer() ? Number::of(python::truncated(number.real)) : number;
    };
    inner = {converted(inner.least), converted(inner.greatest)};
  }
  if (is_unsigned(to)) {
    const bool fits = !less(inner.least, Number::of(0)) && !less(highest, inner.greatest);
    return fits ? inner : Bounds{lowest, highest};
  }
  const bool clamps = is_int(to) || (is_float(to) && !is_weak(to));
  return clamps ? Bounds{greater(lowest, inner.least), lesser(inner.greatest, highest)} : Bounds{lowest, highest};
}

std::optional<Bounds> own_bounds(ExprGraph& graph, ExprId id) {
  return graph.op(id) == Ops::kCast ? std::optional(bounds_of_cast(graph, id)) : std::nullopt;
}

const RuleTable& rules() {
  static const RuleTable kRules({invalid_rules(),
                                 folding_rules(),
                                 movement_rules(),
                                 {ordering_rule()},
                                 combining_rules(),
                                 comparison_rules(),
                                 division_rules()});
  return kRules;
}

}  // namespace

constinit const Language kLanguage = {
    .index = Scalar::kWeakint,
    .max_depth = 400,
    .max_stack = 250'000,
    .max_steps = 1'000'000,
    .traversal = Traversal::kFails,
    .puts_quotient_first = true,
    .number = [](Ops op) { return static_cast<std::uint16_t>(op); },
    .as_const = as_const,
    .derive_dtype = derive_dtype,
    .common_dtype = least_upper,
    .own_bounds = own_bounds,
    .rules = rules,
    .find_shape = find_shape,
};

}  // namespace vizd::tinygrad_2026_08
