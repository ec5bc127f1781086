// Rules about what can have one value only, two constants in a row, comparisons, casts and AFTER (the rest of
// symbolic.py's symbolic).
#include <algorithm>

#include "formats/tinygrad/v2026_08/symbolic/expr_terms.h"
#include "formats/tinygrad/v2026_08/symbolic/rules.h"

namespace vizd::tinygrad_2026_08 {
namespace {

using S = Simplifier;
using N = const Bindings;
using python::floor_div;
using python::floor_mod;

const ScalarSet kWeak{Scalar::kWeakint};

Wide value_of(const ExprGraph& g, ExprId constant) { return g.number(constant).integer; }

Rewritten fold_single_value(S& s, N& n) {
  const Bounds bounds = s.graph().bounds(n['x']);
  return equal(bounds.least, bounds.greatest) ? Rewritten(s.like(n['x'], bounds.least)) : std::nullopt;
}

Rewritten fold_maximum(S& s, N& n) {
  const Bounds x = s.graph().bounds(n['x']), y = s.graph().bounds(n['y']);
  if (!less(x.least, y.greatest)) return n['x'];
  return !less(y.least, x.greatest) ? Rewritten(n['y']) : std::nullopt;
}

Rewritten compare_product(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c0 = value_of(g, n['d']), c1 = value_of(g, n['c']);
  const Wide size = c0 < 0 ? -c0 : c0;
  if (size <= 1) return std::nullopt;
  return g.less_than(c0 > 0 ? n['x'] : g.negate(n['x']), -floor_div(-c1, size));
}

Rewritten compare_quotient(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide d = value_of(g, n['d']), bound = python::wide_mul(value_of(g, n['c']), d);
  if (d > 0) return g.less_than(n['x'], bound);
  return d < 0 ? Rewritten(g.binary(Ops::kCmplt, Number::of(bound), n['x'])) : std::nullopt;
}

// Terms that cannot reach the next multiple of what divides all the others do not matter.
Rewritten drop_small_terms(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c = value_of(g, n['c']);
  if (!g.number(n['c']).is_integer() || c <= 0) return std::nullopt;
  std::vector<ExprId> small, large;
  Wide divisor = c, least = 0, greatest = 0;
  bool fits = true;
  for (const ExprId term : split(g, n['x'], Ops::kAdd)) {
    const Wide factor = const_factor(g, term);
    (factor == 1 ? small : large).push_back(term);
    if (factor != 1) divisor = python::wide_gcd(divisor, factor);
    if (factor != 1) continue;
    const Bounds bounds = g.bounds(term);
    fits = fits && bounds.least.is_integer() && bounds.greatest.is_integer();
    least = python::wide_add(least, bounds.least.integer);
    greatest = python::wide_add(greatest, bounds.greatest.integer);
  }
  if (large.empty() || divisor <= 1 || !fits || least < 0 || greatest >= divisor) return std::nullopt;
  const auto rest = divided_by(g, sum_of(g, large), divisor);
  if (!rest) g.fail();
  return rest ? Rewritten(g.less_than(*rest, floor_div(c, divisor))) : std::nullopt;
}

// a*x + b*y + … > 0 is x + y + … > 0 where nothing is negative.
Rewritten drop_positive_factors(S& s, N& n) {
  ExprGraph& g = s.graph();
  bool changed = false;
  std::vector<ExprId> terms;
  for (ExprId term : split(g, n['x'], Ops::kAdd)) {
    if (g.op(term) == Ops::kMul && g.is_const(g.src(term, 1)) && value_of(g, g.src(term, 1)) > 0) {
      changed = true;
      term = g.src(term, 0);
    }
    if (!is_irreducible(g.op(term)) || less(g.least(term), Number::of(0))) return std::nullopt;
    terms.push_back(term);
  }
  if (!changed) return std::nullopt;
  return g.binary(Ops::kCmpne, g.less_than(sum_of(g, terms), 1), Number::of_bool(true));
}

bool overflows(ExprGraph& g, ExprId id) {
  const Bounds bounds = g.bounds(id);
  return less(bounds.least, vizd::tinygrad_2026_08::least(Scalar::kInt32)) ||
         less(vizd::tinygrad_2026_08::greatest(Scalar::kInt32), bounds.greatest);
}

// Arithmetic of 64 bits that fits 32.
Rewritten narrow(S& s, N& n) {
  ExprGraph& g = s.graph();
  const ExprId u = n['u'], x = n['x'], y = n['y'];
  if (g.scalar(x) != Scalar::kInt64 && g.scalar(y) != Scalar::kInt64) return std::nullopt;
  if (overflows(g, u) || overflows(g, x) || overflows(g, y)) return std::nullopt;
  const auto narrowed = [&](ExprId id) {
    return g.is_const(id) ? g.number_expr(g.number(id)) : g.cast(id, Scalar::kInt32);
  };
  const Scalar scalar = g.scalar(u);
  const ExprId a = narrowed(x), b = narrowed(y);
  return g.cast(g.alu(g.op(u), a, b), scalar);
}

// Only these have effects that something can come after; what else stands there passes on its sources.
Rewritten clean_after(S& s, N& n) {
  static const OpSet kEffects{Ops::kRange,   Ops::kStore, Ops::kCall,   Ops::kFunction,
                              Ops::kBarrier, Ops::kEnd,   Ops::kLinear, Ops::kStage};
  ExprGraph& g = s.graph();
  const auto src = g.src(n['x']);
  std::vector<ExprId> kept{src[0]};
  const auto keep = [&](ExprId id) {
    if (std::find(kept.begin() + 1, kept.end(), id) == kept.end()) kept.push_back(id);
  };
  for (const ExprId after : src.subspan(1)) {
    if (kEffects.contains(g.op(after))) {
      keep(after);
    } else {
      for (const ExprId source : g.src(after)) keep(source);
    }
  }
  return g.with_sources(n['x'], kept);
}

std::vector<Rule> single_values() {
  const OpSet bounded{Ops::kCmplt, Ops::kCmpne, Ops::kFloordiv, Ops::kFloormod,
                      Ops::kParam, Ops::kAfter, Ops::kSpecial};
  std::vector<Rule> all = {
      {"what has one value", Pattern{.ops = bounded, .name = 'x'}, fold_single_value},
      {"a loop of one turn", op({Ops::kRange}, {Pattern{.ops = {Ops::kConst}}}, 'x'), fold_single_value},
      {"c<x ? x : c -> max", where(cvar('a') < var('x'), var('x'), cvar('c')),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         return equal(g.number(n['a']), g.number(n['c'])) ? Rewritten(g.maximum(n['a'], n['x'])) : std::nullopt;
       }},
      {"x<c ? c : x -> max", where(var('x') < cvar('b'), cvar('c'), var('x')),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         return equal(g.number(n['b']), g.number(n['c'])) ? Rewritten(g.maximum(n['x'], n['b'])) : std::nullopt;
       }},
      {"max of what is always larger", alu(Ops::kMax, {var('x'), var('y')}), fold_maximum},
  };
  for (const Ops op : {Ops::kAdd, Ops::kMul, Ops::kAnd, Ops::kOr, Ops::kMax}) {
    all.push_back(
        {"(x op c) op d -> x op (c op d)", alu(op, {alu(op, {var('x'), cvar('c')}), cvar('d')}),
         [op](S& s, N& n) -> Rewritten { return s.graph().alu(op, n['x'], s.graph().alu(op, n['c'], n['d'])); }});
  }
  return all;
}

std::vector<Rule> comparisons() {
  const auto x = var('x'), y = var('y');
  const auto moved = [](Ops op) {
    return [op](S& s, N& n) -> Rewritten {
      ExprGraph& g = s.graph();
      if (g.is_const(n['y'])) return std::nullopt;
      return g.binary(op, g.binary(op, n['x'], n['y']), n['c']);
    };
  };
  return {
      {"(x//c)//d -> x//(c*d)", floor_div(floor_div(x, cvar('c')), cvar('d')),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         if (!less(Number::of(0), g.least(n['d']))) return std::nullopt;
         return g.floor_divide(n['x'], g.multiply(n['c'], n['d']));
       }},
      {"d+x<c -> x<c-d", (cvar('d') + var('x', kIntsOrWeak)) < cvar('c'),
       [](S& s, N& n) -> Rewritten { return s.graph().less_than(n['x'], s.graph().subtract(n['c'], n['d'])); }},
      {"d*x<c -> x<c/d", (cvar('d') * var('x', kWeak)) < cvar('c'), compare_product},
      {"x//d<c -> x<c*d", floor_div(var('x', kWeak), cvar('d')) < cvar('c'), compare_quotient},
      {"(x+c)+y -> (x+y)+c", (x + cvar('c')) + y, moved(Ops::kAdd)},
      {"(x*c)*y -> (x*y)*c", (x * cvar('c')) * y, moved(Ops::kMul)},
      {"x<c without small terms", var('x', kWeak) < cvar('c'), drop_small_terms},
      {"-x < -y -> y<x", (var('x', kWeak) * number(-1)) < (y * number(-1)),
       [](S& s, N& n) -> Rewritten { return s.graph().less_than(n['y'], n['x']); }},
      {"a*x + b*y > 0 -> x+y > 0", not_equal(var('x', kWeak) < number(1), truth(true)), drop_positive_factors},
  };
}

std::vector<Rule> casts_and_effects() {
  const Pattern range{.ops = {Ops::kRange}, .name = 'r', .sources = Pattern::Sources::kAllAlike, .src = {var('e')}};
  const ScalarSet wide{Scalar::kInt64, Scalar::kWeakint};
  const OpSet binary = ops_that(is_binary);
  return {
      {"r % its end -> r", range % var('e'), [](S&, N& n) -> Rewritten { return n['r']; }},
      {"r // its end -> 0", floor_div(range, var('e')), [](S& s, N& n) -> Rewritten { return s.like(n['r'], 0); }},
      {"two casts, the first without loss", cast(cast(var('x'), {}, 'a'), {}, 'b'),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         const bool keeps = casts_without_loss(g.scalar(n['x']), g.scalar(n['a']));
         return keeps ? Rewritten(g.cast(n['x'], g.scalar(n['b']))) : std::nullopt;
       }},
      {"two casts, the first of what fits", cast(cast(var('x', kIntsOrWeak), kIntsOrWeak, 'a'), {}, 'b'),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         const Bounds x = g.bounds(n['x']);
         const bool fits = !less(x.least, vizd::tinygrad_2026_08::least(g.scalar(n['a']))) &&
                           !less(vizd::tinygrad_2026_08::greatest(g.scalar(n['a'])), x.greatest);
         return fits ? Rewritten(g.cast(n['x'], g.scalar(n['b']))) : std::nullopt;
       }},
      {"64 bits that fit 32", op(binary, {var('x', wide), var('y', wide)}, 'u'), narrow},
      {"cast of x+c", op({Ops::kCast}, {var('x', kWeak) + cvar('c')}, 'k', kSignedInts),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         return g.add(g.cast(n['x'], g.scalar(n['k'])), s.like(n['k'], g.number(n['c'])));
       }},
      {"after what has no effect", Pattern{.ops = {Ops::kAfter}, .name = 'x'}, clean_after},
      {"after nothing", op({Ops::kAfter, Ops::kEnd}, {var('s')}), [](S&, N& n) -> Rewritten { return n['s']; }},
  };
}

}  // namespace

std::vector<Rule> comparison_rules() {
  std::vector<Rule> all;
  for (auto part : {single_values, comparisons, casts_and_effects}) {
    for (Rule& rule : part()) all.push_back(std::move(rule));
  }
  return all;
}

}  // namespace vizd::tinygrad_2026_08
