// Rules for comparisons and maxima, and which rules the leaves of an expression have (tinygrad's symbolic.py: self
// folding, zero folding, max folding, lt).
#include <cmath>

#include "formats/tinygrad/v2025_09/symbolic/expr_terms.h"
#include "formats/tinygrad/v2025_09/symbolic/simplify_rules.h"

namespace vizd::tinygrad_2025_09 {
namespace {

// x max x -> x
Rewritten max_of_same(Simplifier& s, ExprId id) {
  const ExprGraph& g = s.graph();
  return g.src(id, 0) == g.src(id, 1) ? Rewritten(g.src(id, 0)) : std::nullopt;
}

// The operand that is never less than the other.
Rewritten fold_max(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  for (const auto [x, y] : both_orders(g, id)) {
    if (!less(g.least(x), g.greatest(y))) return x;
    if (!less(g.least(y), g.greatest(x))) return y;
  }
  return std::nullopt;
}

// x < x -> false, x != x -> false
Rewritten compare_with_itself(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  if (g.src(id, 0) != g.src(id, 1)) return std::nullopt;
  return g.constant(Scalar::kBool, Number::of_bool(false));
}

// c0 + x < c1 -> x < c1 - c0
Rewritten move_term_over(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId sum = g.src(id, 0), c1 = g.src(id, 1);
  if (g.op(sum) != Ops::kAdd || !g.is_const(c1)) return std::nullopt;
  for (const auto [c0, x] : both_orders(g, sum)) {
    if (g.is_const(c0)) return g.less_than(x, g.subtract(c1, c0));
  }
  return std::nullopt;
}

// c0*x < c1: x < ceil(c1/c0) where both are positive; -x < -floor(-c1/-c0) where c0 is negative and c1 is not positive.
template <bool kPositive>
Rewritten divide_both_sides(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId product = g.src(id, 0), right = g.src(id, 1);
  if (g.op(product) != Ops::kMul || !is_index(g, product) || !g.is_const(right)) return std::nullopt;
  for (const auto [left, x] : both_orders(g, product)) {
    if (!g.is_const(left) || !is_index(g, x)) continue;
    const Wide c0 = value(g, left), c1 = value(g, right);
    if (kPositive && c0 > 0 && c1 > 0) return g.less_than(x, -floor_div(-c1, c0));
    if (!kPositive && c0 < 0 && c0 != -1 && c1 <= 0) return g.less_than(g.negate(x), -floor_div(-c1, -c0));
  }
  return std::nullopt;
}

// x//d < c -> x < c*d, for a c that is not positive x < c*d - (d-1)
Rewritten multiply_both_sides(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId quotient = g.src(id, 0), right = g.src(id, 1);
  if (g.op(quotient) != Ops::kIdiv || !g.is_const(right)) return std::nullopt;
  const ExprId x = g.src(quotient, 0), divisor = g.src(quotient, 1);
  if (!is_index(g, x) || !g.is_const(divisor) || value(g, divisor) <= 0) return std::nullopt;
  const Wide c = value(g, right), d = value(g, divisor);
  return g.less_than(x, c > 0 ? wide_mul(c, d) : wide_add(wide_mul(c, d), 1 - d));
}

// lt_folding: in d*a + b < c with d > 1 dividing c and 0 <= b < d, b does not matter.
Rewritten drop_small_terms(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId x = g.src(id, 0), right = g.src(id, 1);
  if (!is_index(g, x) || !g.is_const(right) || value(g, right) <= 0) return std::nullopt;
  std::vector<ExprId> multiples;
  Wide divisor = value(g, right);
  Number least = Number::of(0), greatest = Number::of(0);
  for (const ExprId term : split(g, x, Ops::kAdd)) {
    const Wide factor = const_factor(g, term);
    if (factor == 1) {
      least = add(least, g.least(term));
      greatest = add(greatest, g.greatest(term));
    } else {
      multiples.push_back(term);
      divisor = wide_gcd(divisor, factor);
    }
  }
  if (multiples.empty() || divisor <= 1 || less(least, Number::of(0)) || !less(greatest, Number::of(divisor))) {
    return std::nullopt;
  }
  const auto divided = divided_by(g, sum_of(g, multiples), divisor);
  if (!divided) g.fail();
  return divided ? Rewritten(g.less_than(*divided, floor_div(value(g, right), divisor))) : std::nullopt;
}

// x*-1 < y*-1 -> y < x
Rewritten less_than_negated(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const auto negated = [&](ExprId product, bool index_only) -> Rewritten {
    if (g.op(product) != Ops::kMul) return std::nullopt;
    for (const auto [x, c] : both_orders(g, product)) {
      if (g.is_const(c, -1) && (!index_only || (is_index(g, x) && is_index(g, c) && is_index(g, product)))) return x;
    }
    return std::nullopt;
  };
  const auto x = negated(g.src(id, 0), true), y = negated(g.src(id, 1), false);
  return x && y ? Rewritten(g.less_than(*y, *x)) : std::nullopt;
}

bool is_irreducible(Ops op) {
  return op == Ops::kConst || op == Ops::kDefineVar || op == Ops::kSpecial || op == Ops::kRange;
}

// canonicalize_simplex: !(a0*x0 + a1*x1 + … < 1) with ai > 0 and xi >= 0 -> !(x0 + x1 + … < 1)
Rewritten drop_positive_factors(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  for (const auto [comparison, yes] : both_orders(g, id)) {
    if (g.op(comparison) != Ops::kCmplt || !g.is_const(yes, 1) || g.scalar(yes) != Scalar::kBool) continue;
    const ExprId x = g.src(comparison, 0), one = g.src(comparison, 1);
    if (!is_index(g, x) || !is_index(g, one) || !g.is_const(one, 1)) continue;
    std::vector<ExprId> terms = split(g, x, Ops::kAdd);
    bool changed = false, all_simple = true;
    for (ExprId& term : terms) {
      if (g.op(term) == Ops::kMul && g.is_const(g.src(term, 1)) && value(g, g.src(term, 1)) > 0) {
        changed = true;
        term = g.src(term, 0);
      }
      all_simple = all_simple && is_irreducible(g.op(term)) && g.least_at_least(term, 0);
    }
    if (changed && all_simple) return g.logical_not(g.less_than(sum_of(g, terms), 1));
  }
  return std::nullopt;
}

constexpr Rule kMaximum[] = {max_of_same, order_operands, fold_max, join_constants};
constexpr Rule kLess[] = {
    compare_with_itself,      fold_single_value,   move_term_over,   divide_both_sides<true>,
    divide_both_sides<false>, multiply_both_sides, drop_small_terms, less_than_negated,
};
constexpr Rule kDiffers[] = {compare_with_itself, fold_single_value, drop_positive_factors};
constexpr Rule kLeaf[] = {fold_single_value};

}  // namespace

std::span<const Rule> comparison_rules(Ops op) {
  switch (op) {
    case Ops::kMax:
      return kMaximum;
    case Ops::kCmplt:
      return kLess;
    case Ops::kCmpne:
      return kDiffers;
    case Ops::kDefineVar:
    case Ops::kSpecial:
    case Ops::kRange:
      return kLeaf;
    default:
      return {};
  }
}

}  // namespace vizd::tinygrad_2025_09
