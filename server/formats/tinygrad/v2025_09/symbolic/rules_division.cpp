// Rules for // and % (symbolic.py: div folding, mod folding). Division is C's, towards zero; a rule that holds for
// floor division only looks at the signs first. In all of them x and y are the operands, and d is the // or %.
#include <algorithm>
#include <array>

#include "formats/tinygrad/symbolic/const_fold.h"
#include "formats/tinygrad/symbolic/expr_terms.h"
#include "formats/tinygrad/symbolic/shared_rules.h"
#include "formats/tinygrad/v2025_09/symbolic/language.h"

namespace vizd::tinygrad_2025_09 {

using namespace tinygrad;

namespace {

using S = Simplifier;
using N = const Bindings;
using python::c_div;
using python::c_mod;
using python::floor_div;
using python::floor_mod;
using python::wide_add;
using python::wide_mul;

bool is_remainder(const ExprGraph& g, ExprId id) { return tinygrad::is_remainder(g.op(id)); }

bool is_never_negative(ExprGraph& g, ExprId id) { return !less(g.least(id), Number::of(0)); }

ExprId times(ExprGraph& g, Wide factor, ExprId x) { return g.binary(Ops::kMul, Number::of(factor), x); }

ExprId quotient(ExprGraph& g, ExprId x, ExprId y) { return g.binary(Ops::kCdiv, x, y); }

Wide abs_of(Wide value) { return value < 0 ? -value : value; }

// Folds two constants: towards zero; by zero to 0 and the numerator.
Rewritten fold_constants(S& s, N& n) {
  const ExprGraph& g = s.graph();
  const auto folded = fold_numbers(g.op(n['d']), std::array{g.number(n['x']), g.number(n['y'])});
  return folded ? Rewritten(s.like(n['d'], *folded)) : std::nullopt;
}

// (x//c + a)//y -> (x + a*c)//(c*y)
Rewritten divide_sum_with_quotient(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide a = integer_of(g, n['a']);
  const bool same_sign =
      (is_never_negative(g, n['x']) && a >= 0) || (!less(Number::of(0), g.greatest(n['x'])) && a <= 0);
  if (integer_of(g, n['c']) <= 0 || integer_of(g, n['y']) <= 0 || !same_sign) return std::nullopt;
  return quotient(g, g.add(n['x'], g.multiply(n['a'], n['c'])), g.multiply(n['c'], n['y']));
}

// cancel_divmod: all of the numerator lies between two multiples of the denominator.
Rewritten fold_single_quotient(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Bounds a = g.bounds(n['x']), b = g.bounds(n['y']);
  for (const Number& bound : {a.least, a.greatest, b.least, b.greatest}) {
    if (!bound.is_integer()) g.fail();
  }
  const Wide a0 = a.least.integer, a1 = a.greatest.integer, b0 = b.least.integer, b1 = b.greatest.integer;
  if (b0 == 0 && b1 == 0) g.fail();
  if (b0 == 0 || b1 == 0 || (b0 > 0) != (b1 > 0)) return std::nullopt;
  const Wide q = c_div(a0, b0);
  if (q != c_div(a0, b1) || q != c_div(a1, b0) || q != c_div(a1, b1)) return std::nullopt;
  if (!is_remainder(g, n['d'])) return s.like(n['d'], q);
  return g.subtract(n['x'], times(g, q, n['y']));
}

// A numerator with one term that can take two values only.
Rewritten fold_binary_numerator(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c = integer_of(g, n['y']);
  if (c < 0) return std::nullopt;
  const auto [x, constant] = pop_const(g, n['x']);
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
    return is_remainder(g, n['d']) ? c_mod(numerator, c) : c_div(numerator, c);
  };
  const Wide y1 = at(least), y2 = at(bounds.greatest.integer);
  return g.add(times(g, y2 - y1, g.add(*term, -least)), y1);
}

// Within % c, multiples of c may be taken away from each factor: where what is left never passes a multiple, it is the
// answer.
Rewritten fold_congruence(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c = integer_of(g, n['y']);
  if (c < 0) return std::nullopt;
  const auto [x, constant] = pop_const(g, n['x']);
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
  for (const Term& term : terms) products.push_back(times(g, term.rest, term.expr));
  const Wide constant_rest = floor_mod(constant, c);
  const ExprId rest = g.add(python_sum(g, products), constant_rest);
  const Bounds bounds = g.bounds(rest);
  const Wide multiple = floor_div(bounds.least.integer, c);
  if (g.failed() || multiple != floor_div(bounds.greatest.integer, c)) return std::nullopt;
  if (is_remainder(g, n['d'])) return g.add(rest, -(multiple * c));
  products.clear();
  for (const Term& term : terms) products.push_back(times(g, floor_div(term.factor - term.rest, c), term.expr));
  return g.add(python_sum(g, products), floor_div(constant - constant_rest + multiple * c, c));
}

// (gcd*x + r)//(gcd*d) -> (x + (r%(gcd*d))//gcd)//d + r//(gcd*d), and likewise for %.
Rewritten divide_by_gcd_with_rest(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c = integer_of(g, n['y']);
  if (c < 0 || !is_never_negative(g, n['x'])) return std::nullopt;
  const auto [x, constant] = pop_const(g, n['x']);
  auto terms = split(g, x, Ops::kAdd);
  terms.push_back(n['y']);
  const ExprId gcd = s.simplify(common_factor(s, terms));
  if (!g.is_const(gcd) || c == 0) g.fail();
  if (g.failed() || g.is_const(gcd, 1)) return std::nullopt;
  const auto divided = divided_by(s, x, gcd);
  if (!divided) g.fail();
  if (g.failed()) return std::nullopt;
  const ExprId rest = quotient(g, s.like(gcd, floor_mod(constant, c)), gcd);
  const ExprId new_x = g.add(s.simplify(*divided), rest);
  if (g.failed() || !is_never_negative(g, new_x)) return std::nullopt;
  const ExprId result = g.alu(g.op(n['d']), new_x, s.like(n['x'], floor_div(c, integer_of(g, gcd))));
  if (!is_remainder(g, n['d'])) return g.add(result, floor_div(constant, c));
  return g.add(g.multiply(result, gcd), floor_mod(constant, integer_of(g, gcd)));
}

// (a%(k*c) + b)%c -> (a + b)%c
Rewritten remove_inner_remainder(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c = integer_of(g, n['y']);
  if (c < 0 || !is_never_negative(g, n['x'])) return std::nullopt;
  auto terms = split(g, n['x'], Ops::kAdd);
  bool changed = false;
  for (ExprId& term : terms) {
    if (!is_remainder(g, term)) continue;
    const ExprId divisor = g.src(term, 1);
    if (!divided_by(g, divisor, c)) continue;
    changed = true;
    term = g.src(term, 0);
  }
  const ExprId sum = sum_of(g, terms);
  if (!changed || !is_never_negative(g, sum)) return std::nullopt;
  return g.alu(Ops::kCmod, sum, n['y']);
}

// Divides by the smallest factor of the divisor first, where that makes the numerator simpler.
Rewritten divide_by_smallest_factor(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c = integer_of(g, n['y']);
  if (c < 0) return std::nullopt;
  Wide divisor = c;
  for (const ExprId term : split(g, pop_const(g, n['x']).first, Ops::kAdd)) {
    const Wide factor = abs_of(const_factor(g, term));
    if (factor > 1 && floor_mod(c, factor) == 0) divisor = std::min(divisor, factor);
  }
  if (divisor <= 1 || divisor >= c) return std::nullopt;
  const ExprId first = g.binary(Ops::kCdiv, n['x'], Number::of(divisor));
  const ExprId simpler = s.simplify(first);
  if (g.failed() || simpler == first) return std::nullopt;
  if (!is_never_negative(g, n['x']) || !is_never_negative(g, first)) return std::nullopt;
  return g.binary(Ops::kCdiv, simpler, Number::of(floor_div(c, divisor)));
}

// (d*x + y)//d -> x + y//d, (d*x + y)%d -> y%d; for % by a constant also with each factor reduced.
Rewritten factor_out_divisor(S& s, N& n) {
  ExprGraph& g = s.graph();
  const ExprId y = n['y'];
  if (!is_never_negative(g, y) || !is_never_negative(g, n['x'])) return std::nullopt;
  std::vector<ExprId> quotients, rests;
  for (const ExprId term : split(g, n['x'], Ops::kAdd)) {
    if (const auto quotient = divided_by(s, term, y)) {
      quotients.push_back(*quotient);
      continue;
    }
    if (is_remainder(g, n['d']) && g.is_const(y)) {
      const Wide factor = const_factor(g, term);
      if (integer_of(g, y) == 0) g.fail();
      if (g.failed()) return std::nullopt;
      if (const Wide rest = floor_mod(factor, integer_of(g, y)); rest != factor) {
        const auto divided = divided_by(g, term, factor);
        if (!divided) g.fail();
        if (g.failed()) return std::nullopt;
        rests.push_back(g.multiply(*divided, rest));
        quotients.push_back(s.like(term, 0));
        continue;
      }
    }
    rests.push_back(term);
  }
  if (g.failed()) return std::nullopt;
  const ExprId zero = s.like(n['x'], 0);
  const ExprId rest = rests.empty() ? g.binary(Ops::kAdd, Number::of(0), zero) : g.add(python_sum(g, rests), zero);
  if (quotients.empty() || !is_never_negative(g, rest)) return std::nullopt;
  if (is_remainder(g, n['d'])) return g.alu(Ops::kCmod, rest, y);
  return g.add(quotient(g, rest, y), python_sum(g, quotients));
}

// x op y -> -((-x) op y) where x is never positive
Rewritten negate_numerator(S& s, N& n) {
  ExprGraph& g = s.graph();
  if (less(Number::of(0), g.greatest(n['x']))) return std::nullopt;
  return g.negate(g.alu(g.op(n['d']), g.negate(n['x']), n['y']));
}

// x//y -> -(x//-y) and x%y -> x%-y where y is negative
Rewritten negate_denominator(S& s, N& n) {
  ExprGraph& g = s.graph();
  if (!less(g.greatest(n['y']), Number::of(0))) return std::nullopt;
  const ExprId result = g.alu(g.op(n['d']), n['x'], g.negate(n['y']));
  return is_remainder(g, n['d']) ? result : g.negate(result);
}

// (x + c)//y with its constants reduced, for a sum s that is never negative: (x + c%y)//y + c//y.
Rewritten reduce_constant_term(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c = integer_of(g, n['c']), y = integer_of(g, n['y']);
  if (y == 0) g.fail();
  if (y <= 0 || !is_never_negative(g, n['s']) || floor_mod(c, y) == c || !is_never_negative(g, n['x'])) {
    return std::nullopt;
  }
  return g.add(quotient(g, g.add(n['x'], floor_mod(c, y)), n['y']), floor_div(c, y));
}

// The same for an x that is never positive.
Rewritten reduce_constant_of_negative(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c = integer_of(g, n['c']), y = integer_of(g, n['y']);
  if (y <= 0 || !is_never_negative(g, n['s']) || less(Number::of(0), g.greatest(n['x']))) return std::nullopt;
  const ExprId sum = g.binary(Ops::kAdd, Number::of(floor_mod(c, y)), n['x']);
  const ExprId numerator = g.negate(g.add(sum, 1 - y));
  return g.add(g.negate(quotient(g, numerator, n['y'])), floor_div(c, y));
}

Rewritten by_gcd(S& s, N& n) { return divide_by_gcd(s, n['d']); }

}  // namespace

std::vector<Rule> division_rules() {
  const OpSet both{Ops::kCdiv, Ops::kCmod};
  const auto x = var('x'), y = var('y'), a = cvar('a'), c = cvar('c'), d = cvar('d'), number_y = cvar('y');
  const Pattern any = op(both, {x, y}, 'd', kIndices), by_number = op(both, {x, number_y}, 'd', kIndices);
  const Pattern index = var('x', kIndices), whole = c_div(index, y).named('d'), rest = c_mod(index, y).named('d');
  const Pattern whole_by_number = op({Ops::kCdiv}, {x, number_y}, 'd', kIndices);
  const Pattern rest_by_number = op({Ops::kCmod}, {x, number_y}, 'd', kIndices);
  const Pattern of_sum = c_div((index + c).named('s'), number_y);
  const auto like_x = [](Wide value) { return [value](S& s, N& n) -> Rewritten { return s.like(n['x'], value); }; };
  std::vector<Rule> all = {
      {"x//x -> 1", c_div(x, x), like_x(1)},
      {"x%x -> 0", c_mod(x, x), like_x(0)},
      {"x//1 -> x", c_div(x, number(1)), becomes(x)},
      {"x//-1 -> -x", c_div(x, number(-1)), [](S& s, N& n) -> Rewritten { return s.graph().negate(n['x']); }},
      {"constant op constant", op(both, {cvar('x'), number_y}, 'd'), fold_constants},
      single_value_rule({Ops::kCmod}),
      {"(x//c)//d -> x//(c*d)", c_div(c_div(x, c), d), becomes(c_div(x, c * d))},
      {"(x//c + a)//y -> (x + a*c)//(c*y)", c_div(c_div(x, c) + a, number_y), divide_sum_with_quotient},
  };
  const auto add = [&](const std::vector<Rule>& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(range_rules(Ops::kCmod, Ops::kCdiv));
  add({
      {"x op y between two multiples of y", any, fold_single_quotient},
      {"x//y -> -(x//-y)", whole, negate_denominator},
      {"one term of two values", by_number, fold_binary_numerator},
      {"congruent to what stays within a period", by_number, fold_congruence},
      {"x op y -> (x//gcd) op (y//gcd)", any, by_gcd},
      {"(gcd*x + r) op (gcd*y)", by_number, divide_by_gcd_with_rest},
      {"(a%(k*c) + b)%c -> (a+b)%c", rest_by_number, remove_inner_remainder},
      {"x//(c*d) -> (x//c)//d", whole_by_number, divide_by_smallest_factor},
      {"(y*x + z)//y -> x + z//y", any, factor_out_divisor},
      {"x op y -> -(-x op y)", op(both, {index, y}, 'd'), negate_numerator},
      {"x%y -> x%-y", rest, negate_denominator},
      {"(x+c)//y -> (x + c%y)//y + c//y", of_sum, reduce_constant_term},
      {"(x+c)//y of a negative x", of_sum, reduce_constant_of_negative},
  });
  return all;
}

}  // namespace vizd::tinygrad_2025_09
