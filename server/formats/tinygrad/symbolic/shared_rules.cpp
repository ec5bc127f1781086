#include "formats/tinygrad/symbolic/shared_rules.h"

#include "formats/tinygrad/symbolic/expr_terms.h"

namespace vizd::tinygrad {
namespace {

using S = Simplifier;
using N = const Bindings;

Rewritten order_operands(S& s, N& n) {
  ExprGraph& g = s.graph();
  const ExprId a = g.src(n['x'], 0), b = g.src(n['x'], 1);
  if (!g.comes_before(b, a)) return std::nullopt;
  const ExprId swapped[] = {b, a};
  return g.with_sources(n['x'], swapped);
}

Rewritten fold_single_value(S& s, N& n) {
  const Bounds bounds = s.graph().bounds(n['x']);
  return equal(bounds.least, bounds.greatest) ? Rewritten(s.like(n['x'], bounds.least)) : std::nullopt;
}

Rewritten fold_maximum(S& s, N& n) {
  const Bounds x = s.graph().bounds(n['x']), y = s.graph().bounds(n['y']);
  if (!less(x.least, y.greatest)) return n['x'];
  return !less(y.least, x.greatest) ? Rewritten(n['y']) : std::nullopt;
}

// Terms that cannot reach the next multiple of what divides all the others do not matter.
Rewritten drop_small_terms(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c = integer_of(g, n['c']);
  if (!g.number(n['c']).is_integer() || c <= 0) return std::nullopt;
  std::vector<ExprId> large;
  Wide divisor = c, least = 0, greatest = 0;
  bool fits = true;
  for (const ExprId term : split(g, n['x'], Ops::kAdd)) {
    const Wide factor = const_factor(g, term);
    if (factor != 1) {
      large.push_back(term);
      divisor = python::wide_gcd(divisor, factor);
      continue;
    }
    const Bounds bounds = g.bounds(term);
    fits = fits && bounds.least.is_integer() && bounds.greatest.is_integer();
    least = python::wide_add(least, bounds.least.integer);
    greatest = python::wide_add(greatest, bounds.greatest.integer);
  }
  if (large.empty() || divisor <= 1 || !fits || least < 0 || greatest >= divisor) return std::nullopt;
  const auto rest = divided_by(g, sum_of(g, large), divisor);
  if (!rest) g.fail();
  return rest ? Rewritten(g.less_than(*rest, python::floor_div(c, divisor))) : std::nullopt;
}

// a*x + b*y + … > 0 is x + y + … > 0 where nothing is negative.
Rewritten drop_positive_factors(S& s, N& n) {
  ExprGraph& g = s.graph();
  bool changed = false;
  std::vector<ExprId> terms;
  for (ExprId term : split(g, n['x'], Ops::kAdd)) {
    if (g.op(term) == Ops::kMul && g.is_const(g.src(term, 1)) && integer_of(g, g.src(term, 1)) > 0) {
      changed = true;
      term = g.src(term, 0);
    }
    if (!is_irreducible(g.op(term)) || less(g.least(term), Number::of(0))) return std::nullopt;
    terms.push_back(term);
  }
  return changed ? Rewritten(g.logical_not(g.less_than(sum_of(g, terms), 1))) : std::nullopt;
}

}  // namespace

Rewrite becomes(Pattern result, Condition condition) {
  return [result = std::move(result), condition = std::move(condition)](Simplifier& s, const Bindings& n) -> Rewritten {
    if (condition && !condition(s, n)) return std::nullopt;
    return build(s.graph(), result, n);
  };
}

std::vector<Rule> joining_rules() {
  const auto x = var('x'), y = var('y'), c = cvar('c'), d = cvar('d'), one = number(1), minus_one = number(-1);
  return {
      {"x*c + x*d -> x*(c+d)", x * c + x * d, becomes(x * (c + d))},
      {"(y + x*c) + x*d -> y + x*(c+d)", (y + x * c) + x * d, becomes(y + x * (c + d))},
      {"x + x*c -> x*(c+1)", x + x * c, becomes(x * (c + one))},
      {"(y+x) + x*c -> y + x*(c+1)", (y + x) + x * c, becomes(y + x * (c + one))},
      {"(y + x*c) + x -> y + x*(c+1)", (y + x * c) + x, becomes(y + x * (c + one))},
      {"x+x -> x*2", x + x, becomes(x * number(2))},
      {"(y+x)+x -> y + x*2", (y + x) + x, becomes(y + x * number(2))},
      {"-(x+c) -> -x + -c", minus_one * (x + c),
       [](S& s, N& n) -> Rewritten { return s.graph().add(s.graph().negate(n['x']), s.graph().negate(n['c'])); }},
  };
}

Rule ordering_rule() {
  return {"operands in order", Pattern{.ops = ops_that(is_commutative), .scalars = kIndices, .name = 'x'},
          order_operands};
}

Rule single_value_rule(OpSet ops) {
  return {"what has one value", Pattern{.ops = ops, .name = 'x'}, fold_single_value};
}

Rule maximum_rule() { return {"max of what is always larger", alu(Ops::kMax, {var('x'), var('y')}), fold_maximum}; }

std::vector<Rule> constant_rules(std::initializer_list<Ops> ops) {
  std::vector<Rule> rules;
  for (const Ops op : ops) {
    rules.push_back(
        {"(x op c) op d -> x op (c op d)", alu(op, {alu(op, {var('x'), cvar('c')}), cvar('d')}),
         [op](S& s, N& n) -> Rewritten { return s.graph().alu(op, n['x'], s.graph().alu(op, n['c'], n['d'])); }});
  }
  return rules;
}

std::vector<Rule> moving_rules() {
  const auto x = var('x'), y = var('y'), c = cvar('c');
  const auto is_no_constant = [](S& s, N& n) { return !s.graph().is_const(n['y']); };
  return {
      {"(x+c)+y -> (x+y)+c", (x + c) + y, becomes((x + y) + c, is_no_constant)},
      {"(x*c)*y -> (x*y)*c", (x * c) * y, becomes((x * y) * c, is_no_constant)},
  };
}

std::vector<Rule> range_rules(Ops remainder, Ops quotient) {
  const Pattern range{.ops = {Ops::kRange}, .name = 'r', .sources = Pattern::Sources::kAllAlike, .src = {var('e')}};
  return {
      {"r % its end -> r", alu(remainder, {range, var('e')}), becomes(var('r'))},
      {"r // its end -> 0", alu(quotient, {range, var('e')}),
       [](S& s, N& n) -> Rewritten { return s.like(n['r'], 0); }},
  };
}

Rule moved_term_rule() {
  return {"d+x<c -> x<c-d", (cvar('d') + var('x', kIntsOrIndices)) < cvar('c'),
          [](S& s, N& n) -> Rewritten { return s.graph().less_than(n['x'], s.graph().subtract(n['c'], n['d'])); }};
}

std::vector<Rule> compared_sum_rules() {
  const auto x = var('x', kIndices), y = var('y');
  return {
      {"x<c without small terms", x < cvar('c'), drop_small_terms},
      {"-x < -y -> y<x", (x * number(-1)) < (y * number(-1)), becomes(y < x)},
      {"a*x + b*y > 0 -> x+y > 0", not_equal(x < number(1), truth(true)), drop_positive_factors},
  };
}

Rewritten divide_by_gcd(Simplifier& s, ExprId division) {
  ExprGraph& g = s.graph();
  const ExprId numerator = g.src(division, 0), denominator = g.src(division, 1);
  auto terms = split(g, numerator, Ops::kAdd);
  terms.push_back(denominator);
  const ExprId gcd = s.simplify(common_factor(s, terms));
  if (g.failed() || g.is_const(gcd, 1)) return std::nullopt;
  const auto x = divided_by(s, numerator, gcd), y = divided_by(s, denominator, gcd);
  if (!x || !y) g.fail();
  if (g.failed()) return std::nullopt;
  const ExprId result = g.alu(g.op(division), *x, *y);
  return is_remainder(g.op(division)) ? g.multiply(result, gcd) : result;
}

}  // namespace vizd::tinygrad
