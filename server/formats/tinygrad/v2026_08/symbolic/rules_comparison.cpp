// Rules about what can have one value only, two constants in a row, comparisons, casts and AFTER (the rest of
// symbolic.py's symbolic).
#include <algorithm>

#include "formats/tinygrad/symbolic/shared_rules.h"
#include "formats/tinygrad/v2026_08/dtype.h"
#include "formats/tinygrad/v2026_08/symbolic/language.h"

namespace vizd::tinygrad_2026_08 {
namespace {

using S = Simplifier;
using N = const Bindings;

Rewritten compare_product(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide c0 = integer_of(g, n['d']), c1 = integer_of(g, n['c']);
  const Wide size = c0 < 0 ? -c0 : c0;
  if (size <= 1) return std::nullopt;
  return g.less_than(c0 > 0 ? n['x'] : g.negate(n['x']), -python::floor_div(-c1, size));
}

Rewritten compare_quotient(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide d = integer_of(g, n['d']), bound = python::wide_mul(integer_of(g, n['c']), d);
  if (d > 0) return g.less_than(n['x'], bound);
  return d < 0 ? Rewritten(g.binary(Ops::kCmplt, Number::of(bound), n['x'])) : std::nullopt;
}

bool overflows(ExprGraph& g, ExprId id) {
  const Bounds bounds = g.bounds(id);
  return less(bounds.least, tinygrad::least(Scalar::kInt32)) ||
         less(tinygrad::greatest(Scalar::kInt32), bounds.greatest);
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

std::vector<Rule> extremes() {
  const auto is_same = [](char a, char b) {
    return [a, b](S& s, N& n) { return equal(s.graph().number(n[a]), s.graph().number(n[b])); };
  };
  const auto x = var('x'), a = cvar('a'), b = cvar('b'), c = cvar('c');
  return {
      single_value_rule(
          {Ops::kCmplt, Ops::kCmpne, Ops::kFloordiv, Ops::kFloormod, Ops::kParam, Ops::kAfter, Ops::kSpecial}),
      {"a loop of one turn", op({Ops::kRange}, {Pattern{.ops = {Ops::kConst}}}, 'x'), single_value_rule({}).rewrite},
      {"c<x ? x : c -> max", where(a < x, x, c), becomes(alu(Ops::kMax, {a, x}), is_same('a', 'c'))},
      {"x<c ? c : x -> max", where(x < b, c, x), becomes(alu(Ops::kMax, {x, b}), is_same('b', 'c'))},
      maximum_rule(),
  };
}

std::vector<Rule> comparisons() {
  const auto x = var('x'), c = cvar('c'), d = cvar('d');
  const auto d_is_positive = [](S& s, N& n) { return less(Number::of(0), s.graph().least(n['d'])); };
  return {
      {"(x//c)//d -> x//(c*d)", floor_div(floor_div(x, c), d), becomes(floor_div(x, c * d), d_is_positive)},
      moved_term_rule(),
      {"d*x<c -> x<c/d", (d * var('x', kIndices)) < c, compare_product},
      {"x//d<c -> x<c*d", floor_div(var('x', kIndices), d) < c, compare_quotient},
  };
}

std::vector<Rule> casts_and_effects() {
  const ScalarSet wide{Scalar::kInt64, Scalar::kWeakint};
  const OpSet binary = ops_that(is_binary);
  return {
      {"two casts, the first without loss", cast(cast(var('x'), {}, 'a'), {}, 'b'),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         const bool keeps = casts_without_loss(g.scalar(n['x']), g.scalar(n['a']));
         return keeps ? Rewritten(g.cast(n['x'], g.scalar(n['b']))) : std::nullopt;
       }},
      {"two casts, the first of what fits", cast(cast(var('x', kIntsOrIndices), kIntsOrIndices, 'a'), {}, 'b'),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         const Bounds x = g.bounds(n['x']);
         const bool fits = !less(x.least, tinygrad::least(g.scalar(n['a']))) &&
                           !less(tinygrad::greatest(g.scalar(n['a'])), x.greatest);
         return fits ? Rewritten(g.cast(n['x'], g.scalar(n['b']))) : std::nullopt;
       }},
      {"64 bits that fit 32", op(binary, {var('x', wide), var('y', wide)}, 'u'), narrow},
      {"cast of x+c", op({Ops::kCast}, {var('x', kIndices) + cvar('c')}, 'k', kSignedInts),
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
  for (const auto& part :
       {extremes(), constant_rules({Ops::kAdd, Ops::kMul, Ops::kAnd, Ops::kOr, Ops::kMax}), comparisons(),
        moving_rules(), compared_sum_rules(), range_rules(Ops::kFloormod, Ops::kFloordiv), casts_and_effects()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace vizd::tinygrad_2026_08
