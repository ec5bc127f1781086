// Rules for // and % (tinygrad's symbolic.py: div folding, mod folding). Division is C's, towards zero; a rule that
// holds for floor division only looks at the signs first.
#include <algorithm>

#include "formats/tinygrad/v2025_09/symbolic/expr_terms.h"
#include "formats/tinygrad/v2025_09/symbolic/simplify_rules.h"

namespace vizd::tinygrad_2025_09 {
namespace {

bool is_remainder(const ExprGraph& g, ExprId id) { return g.op(id) == Ops::kMod; }

// The operands, where the op works on indices; kConstant: and the divisor is a constant.
template <bool kConstant>
std::optional<Operands> index_operands(const ExprGraph& g, ExprId id) {
  if (!is_index(g, id) || (kConstant && !g.is_const(g.src(id, 1)))) return std::nullopt;
  return Operands{g.src(id, 0), g.src(id, 1)};
}

Wide abs_of(Wide value) { return value < 0 ? -value : value; }

// x//x -> 1, x%x -> 0
template <int kResult>
Rewritten divide_by_itself(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  return g.src(id, 0) == g.src(id, 1) ? Rewritten(g.like(g.src(id, 0), kResult)) : std::nullopt;
}

Rewritten divide_by_one(Simplifier& s, ExprId id) {
  return s.graph().is_const(s.graph().src(id, 1), 1) ? Rewritten(s.graph().src(id, 0)) : std::nullopt;
}

Rewritten divide_by_minus_one(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  return g.is_const(g.src(id, 1), -1) ? Rewritten(g.negate(g.src(id, 0))) : std::nullopt;
}

// Of two constants: towards zero, and by zero 0 and the numerator.
Rewritten fold_constants(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId x = g.src(id, 0), y = g.src(id, 1);
  if (!g.is_const(x) || !g.is_const(y)) return std::nullopt;
  return g.like(id, is_remainder(g, id) ? c_mod(value(g, x), value(g, y)) : c_div(value(g, x), value(g, y)));
}

// (x%y)%y -> x%y
Rewritten same_remainder_twice(Simplifier& s, ExprId id) {
  const ExprGraph& g = s.graph();
  const ExprId inner = g.src(id, 0);
  return is_remainder(g, inner) && g.src(inner, 1) == g.src(id, 1) ? Rewritten(inner) : std::nullopt;
}

// (x//c1)//c2 -> x//(c1*c2)
Rewritten divide_twice(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId inner = g.src(id, 0), c2 = g.src(id, 1);
  if (g.op(inner) != Ops::kIdiv || !g.is_const(g.src(inner, 1)) || !g.is_const(c2)) return std::nullopt;
  const ExprId x = g.src(inner, 0);
  return g.divide(x, g.multiply(g.src(inner, 1), c2));
}

// (x//c + a)//d -> (x + a*c)//(c*d)
Rewritten divide_sum_with_quotient(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId sum = g.src(id, 0), d = g.src(id, 1);
  if (g.op(sum) != Ops::kAdd || !g.is_const(d)) return std::nullopt;
  for (const auto [quotient, a] : both_orders(g, sum)) {
    if (g.op(quotient) != Ops::kIdiv || !g.is_const(g.src(quotient, 1)) || !g.is_const(a)) continue;
    const ExprId x = g.src(quotient, 0), c = g.src(quotient, 1);
    const bool same_sign =
        (g.least_at_least(x, 0) && value(g, a) >= 0) || (!less(Number::of(0), g.greatest(x)) && value(g, a) <= 0);
    if (value(g, c) <= 0 || value(g, d) <= 0 || !same_sign) continue;
    return g.divide(g.add(x, g.multiply(a, c)), g.multiply(c, d));
  }
  return std::nullopt;
}

// r%end -> r and r//end -> 0 for a range r up to end
Rewritten divide_range_by_end(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId range = g.src(id, 0);
  const bool matches = g.op(range) == Ops::kRange && g.src(range).size() == 1 && g.src(range, 0) == g.src(id, 1);
  if (!matches) return std::nullopt;
  return is_remainder(g, id) ? range : g.like(range, 0);
}

// cancel_divmod: all of the numerator lies between two multiples of the denominator.
Rewritten fold_single_quotient(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const auto operands = index_operands<false>(g, id);
  if (!operands) return std::nullopt;
  const Bounds a = g.bounds(operands->a), b = g.bounds(operands->b);
  for (const Number& bound : {a.least, a.greatest, b.least, b.greatest}) {
    if (!bound.is_integer()) g.fail();
  }
  const Wide a0 = a.least.integer, a1 = a.greatest.integer, b0 = b.least.integer, b1 = b.greatest.integer;
  if (b0 == 0 && b1 == 0) g.fail();
  if (b0 == 0 || b1 == 0 || (b0 > 0) != (b1 > 0)) return std::nullopt;
  const Wide q = c_div(a0, b0);
  if (q != c_div(a0, b1) || q != c_div(a1, b0) || q != c_div(a1, b1)) return std::nullopt;
  if (!is_remainder(g, id)) return g.like(id, q);
  return g.subtract(operands->a, g.multiply(q, operands->b));
}

// A numerator with one term that can take two values only.
Rewritten fold_binary_numerator(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const auto operands = index_operands<true>(g, id);
  if (!operands || value(g, operands->b) < 0) return std::nullopt;
  const Wide c = value(g, operands->b);
  const auto [x, constant] = pop_const(g, operands->a);
  const auto terms = split(g, x, Ops::kAdd);
  std::optional<ExprId> term;
  Wide factor = 1;
  for (const ExprId each : terms) {
    factor = const_factor(g, each);
    term = divided_by(g, each, factor);
    if (g.failed() || !term) return std::nullopt;
  }
  const Bounds bounds = g.bounds(*term);
  if (terms.size() != 1 || !bounds.least.is_integer() || !bounds.greatest.is_integer()) return std::nullopt;
  const Wide least = bounds.least.integer;
  if (bounds.greatest.integer - least != 1) return std::nullopt;
  const auto at = [&](Wide v) {
    const Wide numerator = wide_add(wide_mul(factor, v), constant);
    return is_remainder(g, id) ? c_mod(numerator, c) : c_div(numerator, c);
  };
  const Wide y1 = at(least), y2 = at(bounds.greatest.integer);
  return g.add(g.multiply(y2 - y1, g.subtract(*term, least)), y1);
}

// Within % c, multiples of c may be taken away from each factor: where what is left never passes a multiple, it is the
// answer.
Rewritten fold_congruence(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const auto operands = index_operands<true>(g, id);
  if (!operands || value(g, operands->b) < 0) return std::nullopt;
  const Wide c = value(g, operands->b);
  const auto [x, constant] = pop_const(g, operands->a);
  struct Term {
    ExprId expr;
    Wide factor, rest;
  };
  std::vector<Term> terms;
  for (const ExprId each : split(g, x, Ops::kAdd)) {
    const Wide factor = const_factor(g, each);
    const auto expr = divided_by(g, each, factor);
    if (c == 0) g.fail();
    if (g.failed() || !expr) return std::nullopt;
    const Wide rest = floor_mod(factor, c);
    terms.push_back({*expr, factor, abs_of(rest - c) < rest ? rest - c : rest});
  }
  std::vector<ExprId> products;
  for (const Term& term : terms) products.push_back(g.multiply(term.rest, term.expr));
  const Wide constant_rest = floor_mod(constant, c);
  const ExprId rest = g.add(python_sum(g, products), constant_rest);
  const Bounds bounds = g.bounds(rest);
  const Wide quotient = floor_div(bounds.least.integer, c);
  if (g.failed() || quotient != floor_div(bounds.greatest.integer, c)) return std::nullopt;
  if (is_remainder(g, id)) return g.subtract(rest, quotient * c);
  products.clear();
  for (const Term& term : terms) products.push_back(g.multiply(floor_div(term.factor - term.rest, c), term.expr));
  return g.add(python_sum(g, products), floor_div(constant - constant_rest + quotient * c, c));
}

// x//y -> (x//gcd)//(y//gcd), x%y -> gcd*((x//gcd)%(y//gcd))
Rewritten divide_by_gcd(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const auto operands = index_operands<false>(g, id);
  if (!operands) return std::nullopt;
  auto terms = split(g, operands->a, Ops::kAdd);
  terms.push_back(operands->b);
  const ExprId gcd = s.simplify(common_factor(g, terms));
  if (g.failed() || g.is_const(gcd, 1)) return std::nullopt;
  const auto x = divided_by(g, operands->a, gcd), y = divided_by(g, operands->b, gcd);
  if (!x || !y) {
    g.fail();
    return std::nullopt;
  }
  const ExprId result = g.alu(g.op(id), *x, *y);
  return is_remainder(g, id) ? g.multiply(result, gcd) : result;
}

// (gcd*x + r)//(gcd*d) -> (x + (r%(gcd*d))//gcd)//d + r//(gcd*d), and likewise for %.
Rewritten divide_by_gcd_with_rest(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const auto operands = index_operands<true>(g, id);
  if (!operands || value(g, operands->b) < 0 || !g.least_at_least(operands->a, 0)) return std::nullopt;
  const Wide c = value(g, operands->b);
  const auto [x, constant] = pop_const(g, operands->a);
  auto terms = split(g, x, Ops::kAdd);
  terms.push_back(operands->b);
  const ExprId gcd = s.simplify(common_factor(g, terms));
  if (!g.is_const(gcd) || c == 0) g.fail();
  if (g.failed() || g.is_const(gcd, 1)) return std::nullopt;
  const auto divided = divided_by(g, x, gcd);
  if (!divided) g.fail();
  if (g.failed()) return std::nullopt;
  const ExprId quotient = s.simplify(*divided);
  const ExprId rest = g.divide(g.like(gcd, floor_mod(constant, c)), gcd);
  const ExprId new_x = g.add(quotient, rest);
  if (g.failed() || !g.least_at_least(new_x, 0)) return std::nullopt;
  const ExprId result = g.alu(g.op(id), new_x, g.like(operands->a, floor_div(c, value(g, gcd))));
  if (!is_remainder(g, id)) return g.add(result, floor_div(constant, c));
  return g.add(g.multiply(result, gcd), floor_mod(constant, value(g, gcd)));
}

// (a%(k*c) + b)%c -> (a + b)%c
Rewritten remove_inner_remainder(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const auto operands = index_operands<true>(g, id);
  if (!operands || value(g, operands->b) < 0 || !g.least_at_least(operands->a, 0)) return std::nullopt;
  auto terms = split(g, operands->a, Ops::kAdd);
  bool changed = false;
  for (ExprId& term : terms) {
    if (!is_remainder(g, term)) continue;
    const ExprId divisor = g.src(term, 1);
    if (!divided_by(g, divisor, value(g, operands->b))) continue;
    changed = true;
    term = g.src(term, 0);
  }
  const ExprId sum = sum_of(g, terms);
  if (!changed || !g.least_at_least(sum, 0)) return std::nullopt;
  return g.alu(Ops::kMod, sum, operands->b);
}

// Divides by the smallest factor of the divisor first, where that makes the numerator simpler.
Rewritten divide_by_smallest_factor(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const auto operands = index_operands<true>(g, id);
  if (!operands || value(g, operands->b) < 0) return std::nullopt;
  const Wide c = value(g, operands->b);
  Wide divisor = c;
  for (const ExprId term : split(g, pop_const(g, operands->a).first, Ops::kAdd)) {
    const Wide factor = abs_of(const_factor(g, term));
    if (factor > 1 && floor_mod(c, factor) == 0) divisor = std::min(divisor, factor);
  }
  if (divisor <= 1 || divisor >= c) return std::nullopt;
  const ExprId first = g.divide(operands->a, divisor);
  const ExprId simpler = s.simplify(first);
  if (g.failed() || simpler == first) return std::nullopt;
  if (!g.least_at_least(operands->a, 0) || !g.least_at_least(first, 0)) return std::nullopt;
  return g.divide(simpler, floor_div(c, divisor));
}

// (d*x + y)//d -> x + y//d, (d*x + y)%d -> y%d; for % by a constant also with each factor reduced.
Rewritten factor_out_divisor(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const auto operands = index_operands<false>(g, id);
  if (!operands || !g.least_at_least(operands->b, 0) || !g.least_at_least(operands->a, 0)) return std::nullopt;
  const ExprId y = operands->b;
  std::vector<ExprId> quotients, rests;
  for (const ExprId term : split(g, operands->a, Ops::kAdd)) {
    if (const auto quotient = divided_by(g, term, y)) {
      quotients.push_back(*quotient);
      continue;
    }
    if (is_remainder(g, id) && g.is_const(y)) {
      const Wide factor = const_factor(g, term);
      if (value(g, y) == 0) g.fail();
      if (g.failed()) return std::nullopt;
      if (const Wide rest = floor_mod(factor, value(g, y)); rest != factor) {
        const auto divided = divided_by(g, term, factor);
        if (!divided) g.fail();
        if (g.failed()) return std::nullopt;
        rests.push_back(g.multiply(*divided, rest));
        quotients.push_back(g.like(term, 0));
        continue;
      }
    }
    rests.push_back(term);
  }
  if (g.failed()) return std::nullopt;
  const ExprId zero = g.like(operands->a, 0);
  const ExprId rest = rests.empty() ? g.add(0, zero) : g.add(python_sum(g, rests), zero);
  if (quotients.empty() || !g.least_at_least(rest, 0)) return std::nullopt;
  if (is_remainder(g, id)) return g.alu(Ops::kMod, rest, y);
  return g.add(g.divide(rest, y), python_sum(g, quotients));
}

// x op d -> -((-x) op d) where x is never positive
Rewritten negate_numerator(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId x = g.src(id, 0), d = g.src(id, 1);
  if (!is_index(g, x) || less(Number::of(0), g.greatest(x))) return std::nullopt;
  return g.negate(g.alu(g.op(id), g.negate(x), d));
}

// x//d -> -(x//-d) and x%d -> x%-d where d is negative
Rewritten negate_denominator(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId x = g.src(id, 0), d = g.src(id, 1);
  if (!is_index(g, x) || !less(g.greatest(d), Number::of(0))) return std::nullopt;
  const ExprId result = g.alu(g.op(id), x, g.negate(d));
  return is_remainder(g, id) ? result : g.negate(result);
}

// (x + c)//d with its constants reduced; kNegative: for an x that is never positive.
template <bool kNegative>
Rewritten reduce_constant_term(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const ExprId sum = g.src(id, 0), divisor = g.src(id, 1);
  if (g.op(sum) != Ops::kAdd || !g.is_const(divisor)) return std::nullopt;
  for (const auto [x, constant] : both_orders(g, sum)) {
    if (!is_index(g, x) || !g.is_const(constant)) continue;
    const Wide c = value(g, constant), d = value(g, divisor);
    if (d == 0) {
      if (!kNegative) g.fail();
      continue;
    }
    const Wide rest = floor_mod(c, d), quotient = floor_div(c, d);
    if (d <= 0 || !g.least_at_least(sum, 0)) continue;
    if (!kNegative && rest != c && g.least_at_least(x, 0)) return g.add(g.divide(g.add(x, rest), divisor), quotient);
    if (kNegative && !less(Number::of(0), g.greatest(x))) {
      const ExprId numerator = g.negate(g.subtract(g.add(rest, x), d - 1));
      return g.add(g.negate(g.divide(numerator, divisor)), quotient);
    }
  }
  return std::nullopt;
}

}  // namespace

std::span<const Rule> quotient_rules() {
  static constexpr Rule kRules[] = {
      divide_by_itself<1>,
      divide_by_one,
      divide_by_minus_one,
      fold_constants,
      divide_twice,
      divide_sum_with_quotient,
      divide_range_by_end,
      fold_single_quotient,
      negate_denominator,
      fold_binary_numerator,
      fold_congruence,
      divide_by_gcd,
      divide_by_gcd_with_rest,
      divide_by_smallest_factor,
      factor_out_divisor,
      negate_numerator,
      reduce_constant_term<false>,
      reduce_constant_term<true>,
  };
  return kRules;
}

std::span<const Rule> remainder_rules() {
  static constexpr Rule kRules[] = {
      same_remainder_twice,   divide_by_itself<0>,   fold_constants,   fold_single_value,  divide_range_by_end,
      fold_single_quotient,   fold_binary_numerator, fold_congruence,  divide_by_gcd,      divide_by_gcd_with_rest,
      remove_inner_remainder, factor_out_divisor,    negate_numerator, negate_denominator,
  };
  return kRules;
}

}  // namespace vizd::tinygrad_2025_09
