// Rules for comparisons, bits, maxima, choices and casts (tinygrad's symbolic.py: self folding, zero folding, boolean
// algebra, where, lt, cast folding).
#include <cmath>

#include "formats/tinygrad/v2025_09/symbolic/expr_terms.h"
#include "formats/tinygrad/v2025_09/symbolic/simplify_rules.h"

namespace vizd::tinygrad_2025_09 {
namespace {

Wide value(const ExprGraph& g, ExprId constant) { return g.number(constant).integer; }

bool is_bool(const ExprGraph& g, ExprId id) { return g.scalar(id) == Scalar::kBool; }

bool is_int_or_bool(const ExprGraph& g, ExprId id) { return is_int(g.scalar(id)) || is_bool(g, id); }

bool is_bool_const(const ExprGraph& g, ExprId id, bool value) {
  return is_bool(g, id) && g.is_const(id, value ? 1 : 0);
}

// x of !x, which is x != True.
Rewritten inverted(const ExprGraph& g, ExprId id) {
  if (g.op(id) != Ops::kCmpne || !is_bool(g, id)) return std::nullopt;
  for (const auto [x, yes] : both_orders(g, id)) {
    if (is_bool(g, x) && is_bool_const(g, yes, true)) return x;
  }
  return std::nullopt;
}

ExprId false_of(ExprGraph& g, ExprId x) { return g.cast(g.like(x, Number::of_bool(false)), Scalar::kBool); }

// --- and, or, xor

// x ^ 0 -> x
Rewritten xor_zero(Simplifier& s, ExprId id) {
  const ExprGraph& g = s.graph();
  if (!is_int_or_bool(g, id)) return std::nullopt;
  for (const auto [x, c] : both_orders(g, id)) {
    if (is_int_or_bool(g, x) && is_int_or_bool(g, c) && g.is_const(c, 0)) return x;
  }
  return std::nullopt;
}

// x & true -> x, x & false -> false; the other way round for |
template <bool kAnd>
Rewritten fold_bool_constant(Simplifier& s, ExprId id) {
  const ExprGraph& g = s.graph();
  for (const auto [x, c] : both_orders(g, id)) {
    if (is_bool(g, x) && g.is_const(c)) return g.number(c).truthy() == kAnd ? x : c;
  }
  return std::nullopt;
}

// x | (x & y) -> x
Rewritten absorb(Simplifier& s, ExprId id) {
  const ExprGraph& g = s.graph();
  for (const auto [x, both] : both_orders(g, id)) {
    if (g.op(both) == Ops::kAnd && (g.src(both, 0) == x || g.src(both, 1) == x)) return x;
  }
  return std::nullopt;
}

// x | !x -> true
Rewritten excluded_middle(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  for (const auto [x, other] : both_orders(g, id)) {
    if (is_bool(g, x) && inverted(g, other) == x) return g.like(x, Number::of_bool(true));
  }
  return std::nullopt;
}

// --- maximum

Rewritten max_bools(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId a = g.src(id, 0), b = g.src(id, 1);
  return is_bool(g, id) && is_bool(g, a) && is_bool(g, b) ? Rewritten(g.alu(Ops::kOr, a, b)) : std::nullopt;
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

// --- comparisons

// x < x -> false
Rewritten less_than_itself(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  return g.src(id, 0) == g.src(id, 1) ? Rewritten(false_of(g, g.src(id, 0))) : std::nullopt;
}

// x != x -> false
Rewritten differs_from_itself(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId x = g.src(id, 0);
  return x == g.src(id, 1) && is_int_or_bool(g, x) ? Rewritten(false_of(g, x)) : std::nullopt;
}

// !!x -> x
Rewritten double_not(Simplifier& s, ExprId id) {
  const auto inner = inverted(s.graph(), id);
  return inner ? inverted(s.graph(), *inner) : std::nullopt;
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
    if (g.op(comparison) != Ops::kCmplt || !g.is_const(yes, 1) || !is_bool(g, yes)) continue;
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

// --- choices

// a.where(b.where(c, d), d) -> (a & b).where(c, d)
Rewritten join_conditions(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId a = g.src(id, 0), inner = g.src(id, 1), d = g.src(id, 2);
  if (g.op(inner) != Ops::kWhere || g.src(inner, 2) != d) return std::nullopt;
  const ExprId b = g.src(inner, 0), c = g.src(inner, 1);
  return g.where(g.alu(Ops::kAnd, a, b), c, d);
}

// x.where(true, false) -> x
Rewritten choose_bool(Simplifier& s, ExprId id) {
  const ExprGraph& g = s.graph();
  const bool matches =
      is_bool(g, g.src(id, 0)) && is_bool_const(g, g.src(id, 1), true) && is_bool_const(g, g.src(id, 2), false);
  return matches ? Rewritten(g.src(id, 0)) : std::nullopt;
}

// x.where(false, true) -> !x
Rewritten choose_inverted_bool(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const bool matches =
      is_bool(g, g.src(id, 0)) && is_bool_const(g, g.src(id, 1), false) && is_bool_const(g, g.src(id, 2), true);
  return matches ? Rewritten(g.logical_not(g.src(id, 0))) : std::nullopt;
}

Rewritten choose_same(Simplifier& s, ExprId id) {
  const ExprGraph& g = s.graph();
  return g.src(id, 1) == g.src(id, 2) ? Rewritten(g.src(id, 1)) : std::nullopt;
}

Rewritten choose_by_constant(Simplifier& s, ExprId id) {
  const ExprGraph& g = s.graph();
  if (!g.is_const(g.src(id, 0))) return std::nullopt;
  return g.src(id, g.number(g.src(id, 0)).truthy() ? 1 : 2);
}

// (!c).where(t, f) -> c.where(f, t)
Rewritten choose_by_inverted(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const auto condition = inverted(g, g.src(id, 0));
  const ExprId t = g.src(id, 1), f = g.src(id, 2);
  if (!condition || (g.is_const(f) && g.number(f).is_invalid())) return std::nullopt;
  return g.where(*condition, f, t);
}

// --- casts

// can_safe_cast: whether `to` holds every value of `from`.
bool holds_all(Scalar from, Scalar to) {
  if (from == to || from == Scalar::kBool) return true;
  if (to == Scalar::kIndex) return is_int(from) && from != Scalar::kIndex;
  if (!is_int(from) || !is_int(to) || from == Scalar::kIndex) return false;
  return !less(least(from), least(to)) && !less(greatest(to), greatest(from));
}

Rewritten cast_constant(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId c = g.src(id, 0);
  return g.is_const(c) ? Rewritten(g.like(id, Number(g.number(c)))) : std::nullopt;
}

Rewritten cast_to_same(Simplifier& s, ExprId id) {
  const ExprGraph& g = s.graph();
  return g.scalar(id) == g.scalar(g.src(id, 0)) ? Rewritten(g.src(id, 0)) : std::nullopt;
}

// x.cast(a).cast(b) -> x where b is x's dtype and a holds all of it
Rewritten cast_back(Simplifier& s, ExprId id) {
  const ExprGraph& g = s.graph();
  const ExprId a = g.src(id, 0);
  if (g.op(a) != Ops::kCast) return std::nullopt;
  const ExprId x = g.src(a, 0);
  return g.scalar(x) == g.scalar(id) && holds_all(g.scalar(id), g.scalar(a)) ? Rewritten(x) : std::nullopt;
}

// x.cast(a).cast(b) -> x.cast(b) where a holds all of x's dtype
Rewritten skip_wide_cast(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId a = g.src(id, 0);
  if (g.op(a) != Ops::kCast || !holds_all(g.scalar(g.src(a, 0)), g.scalar(a))) return std::nullopt;
  return g.cast(g.src(a, 0), g.scalar(id));
}

// The same where a holds all that x can be.
Rewritten skip_fitting_cast(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId a = g.src(id, 0);
  if (g.op(a) != Ops::kCast || !is_int(g.scalar(a)) || !is_int(g.scalar(g.src(a, 0)))) return std::nullopt;
  const ExprId x = g.src(a, 0);
  const Bounds bounds = g.bounds(x);
  const bool fits = !less(bounds.least, least(g.scalar(a))) && !less(greatest(g.scalar(a)), bounds.greatest);
  return fits ? Rewritten(g.cast(x, g.scalar(id))) : std::nullopt;
}

// (x + c).cast(b) -> x.cast(b) + c.cast(b)
Rewritten cast_terms(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId sum = g.src(id, 0);
  const Scalar to = g.scalar(id);
  if (g.op(sum) != Ops::kAdd || !is_int(to) || is_unsigned(to) || to == Scalar::kIndex) return std::nullopt;
  for (const auto [x, c] : both_orders(g, sum)) {
    if (is_index(g, x) && g.is_const(c)) return g.add(g.cast(x, to), g.cast(c, to));
  }
  return std::nullopt;
}

constexpr Rule kLess[] = {
    less_than_itself,        fold_constants,           merge_choices,       fold_single_value, move_term_over,
    divide_both_sides<true>, divide_both_sides<false>, multiply_both_sides, drop_small_terms,  less_than_negated,
    narrow_to_int,
};
constexpr Rule kDiffers[] = {double_not,        differs_from_itself,   fold_constants, merge_choices,
                             fold_single_value, drop_positive_factors, narrow_to_int};
constexpr Rule kAnd[] = {fold_bool_constant<true>, fold_same_operands, fold_constants, order_operands, merge_choices,
                         fold_single_value,        join_constants,     narrow_to_int};
constexpr Rule kOr[] = {
    fold_bool_constant<false>, fold_same_operands, fold_constants,    order_operands, absorb,
    excluded_middle,           merge_choices,      fold_single_value, join_constants, narrow_to_int};
constexpr Rule kXor[] = {xor_zero, fold_constants, order_operands, merge_choices, fold_single_value, narrow_to_int};
constexpr Rule kMax[] = {fold_same_operands, fold_constants, max_bools,      order_operands, merge_choices,
                         fold_single_value,  fold_max,       join_constants, narrow_to_int};
constexpr Rule kOtherBinary[] = {fold_constants, merge_choices, fold_single_value, narrow_to_int};
constexpr Rule kChoice[] = {join_conditions, choose_bool,        choose_inverted_bool, fold_constants,
                            choose_same,     choose_by_constant, choose_by_inverted,   fold_single_value};
constexpr Rule kCast[] = {cast_constant, cast_to_same, cast_back, skip_wide_cast, skip_fitting_cast, cast_terms};
constexpr Rule kOtherArithmetic[] = {fold_constants, fold_single_value};
constexpr Rule kVariable[] = {fold_single_value};

}  // namespace

std::span<const Rule> logic_rules(Ops op) {
  switch (op) {
    case Ops::kCmplt:
      return kLess;
    case Ops::kCmpne:
      return kDiffers;
    case Ops::kAnd:
      return kAnd;
    case Ops::kOr:
      return kOr;
    case Ops::kXor:
      return kXor;
    case Ops::kMax:
      return kMax;
    case Ops::kCmpeq:
    case Ops::kShl:
    case Ops::kShr:
    case Ops::kSub:
      return kOtherBinary;
    case Ops::kWhere:
      return kChoice;
    case Ops::kCast:
      return kCast;
    case Ops::kNeg:
    case Ops::kMulacc:
      return kOtherArithmetic;
    case Ops::kDefineVar:
    case Ops::kSpecial:
    case Ops::kRange:
      return kVariable;
    default:
      return {};
  }
}

}  // namespace vizd::tinygrad_2025_09
