// Rules that join the terms of sums, and choices (symbolic.py: boolean algebra, combine terms, where folding).
#include <algorithm>

#include "formats/tinygrad/v2026_08/symbolic/rules.h"

namespace vizd::tinygrad_2026_08 {
namespace {

using S = Simplifier;
using N = const Bindings;

// In c ? t : f, c is true within t and false within f.
Rewritten close_choice(S& s, N& n) {
  ExprGraph& g = s.graph();
  const ExprId c = n['c'], t = n['t'], f = n['f'];
  if (!g.contains(t, c) && !g.contains(f, c)) return std::nullopt;
  for (const ExprId part : {c, t, f}) {
    if (g.contains(part, Ops::kIndex)) return std::nullopt;
  }
  return g.where(c, substituted(g, t, c, s.like(c, Number::of_bool(true))),
                 substituted(g, f, c, s.like(c, Number::of_bool(false))));
}

bool has_constant_side(const ExprGraph& g, N& n) {
  return (g.is_const(n['t']) && g.is_const(n['u'])) || (g.is_const(n['f']) && g.is_const(n['g']));
}

std::vector<Rule> sums() {
  const auto x = var('x'), y = var('y');
  return {
      {"x|!x -> True", var('x', kBools) | logical_not(var('x', kBools)),
       [](S& s, N& n) -> Rewritten { return s.like(n['x'], Number::of_bool(true)); }},
      {"x*c + x*d -> x*(c+d)", x * cvar('c') + x * cvar('d'),
       [](S& s, N& n) -> Rewritten { return s.graph().multiply(n['x'], s.graph().add(n['c'], n['d'])); }},
      {"(y + x*c) + x*d -> y + x*(c+d)", (y + x * cvar('c')) + x * cvar('d'),
       [](S& s, N& n) -> Rewritten {
         return s.graph().add(n['y'], s.graph().multiply(n['x'], s.graph().add(n['c'], n['d'])));
       }},
      {"x + x*c -> x*(c+1)", x + x * cvar('c'),
       [](S& s, N& n) -> Rewritten { return s.graph().multiply(n['x'], s.graph().add(n['c'], 1)); }},
      {"(y+x) + x*c -> y + x*(c+1)", (y + x) + x * cvar('c'),
       [](S& s, N& n) -> Rewritten {
         return s.graph().add(n['y'], s.graph().multiply(n['x'], s.graph().add(n['c'], 1)));
       }},
      {"(y + x*c) + x -> y + x*(c+1)", (y + x * cvar('c')) + x,
       [](S& s, N& n) -> Rewritten {
         return s.graph().add(n['y'], s.graph().multiply(n['x'], s.graph().add(n['c'], 1)));
       }},
      {"x+x -> x*2", x + x, [](S& s, N& n) -> Rewritten { return s.graph().multiply(n['x'], 2); }},
      {"(y+x)+x -> y + x*2", (y + x) + x,
       [](S& s, N& n) -> Rewritten { return s.graph().add(n['y'], s.graph().multiply(n['x'], 2)); }},
      {"(x/y)/z -> x/(y*z)", divide(divide(x, y), var('z')),
       [](S& s, N& n) -> Rewritten {
         if (n['y'] == n['z']) return std::nullopt;
         return s.graph().divide(n['x'], s.graph().multiply(n['y'], n['z']));
       }},
      {"-(x+c) -> -x + -c", number(-1) * (x + cvar('c')),
       [](S& s, N& n) -> Rewritten { return s.graph().add(s.graph().negate(n['x']), s.graph().negate(n['c'])); }},
      {"y*(x+c) -> y*x + y*c", cvar('y') * (var('x', {Scalar::kWeakint}) + cvar('c')),
       [](S& s, N& n) -> Rewritten {
         return s.graph().add(s.graph().multiply(n['y'], n['x']), s.graph().multiply(n['y'], n['c']));
       }},
  };
}

std::vector<Rule> choices() {
  const OpSet binary = ops_that(is_binary);
  const Pattern first = where(var('c'), var('t'), var('f')), second = where(var('c'), var('u'), var('g'));
  return {
      {"!c ? t : f -> c ? f : t", where(logical_not(var('c', kBools)), var('t'), var('f')),
       [](S& s, N& n) -> Rewritten {
         if (s.graph().is_invalid(n['f'])) return std::nullopt;
         return s.graph().where(n['c'], n['f'], n['t']);
       }},
      {"c within c ? t : f", where(var('c', kBools), var('t'), var('f')), close_choice},
      {"(c ? t : f) op (c ? u : g) -> c ? t op u : f op g", op(binary, {first, second}, 'a'),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         if (!has_constant_side(g, n)) return std::nullopt;
         const Ops op = g.op(n['a']);
         return g.where(n['c'], g.alu(op, n['t'], n['u']), g.alu(op, n['f'], n['g']));
       }},
      {"(y + (c ? t : f)) + (c ? u : g)", (var('y') + first) + second,
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         if (!has_constant_side(g, n)) return std::nullopt;
         return g.add(n['y'], g.where(n['c'], g.add(n['t'], n['u']), g.add(n['f'], n['g'])));
       }},
      {"(c ? t : 0) + (c ? 0 : f) -> c ? t : f",
       where(var('c'), var('t'), number(0)) + where(var('c'), number(0), var('f')),
       [](S& s, N& n) -> Rewritten { return s.graph().where(n['c'], n['t'], n['f']); }},
  };
}

}  // namespace

std::vector<Rule> combining_rules() {
  std::vector<Rule> all = sums();
  for (Rule& rule : choices()) all.push_back(std::move(rule));
  return all;
}

}  // namespace vizd::tinygrad_2026_08
