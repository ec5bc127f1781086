// Rules that join the terms of sums, and choices (symbolic.py: boolean algebra, combine terms, where folding).
#include <algorithm>

#include "formats/tinygrad/symbolic/shared_rules.h"
#include "formats/tinygrad/v2026_08/symbolic/language.h"

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

bool has_constant_side(S& s, N& n) {
  const ExprGraph& g = s.graph();
  return (g.is_const(n['t']) && g.is_const(n['u'])) || (g.is_const(n['f']) && g.is_const(n['g']));
}

std::vector<Rule> products() {
  const auto x = var('x'), y = var('y'), z = var('z'), c = cvar('c'), factor = cvar('y');
  return {
      {"(x/y)/z -> x/(y*z)", divide(divide(x, y), z),
       [](S& s, N& n) -> Rewritten {
         if (n['y'] == n['z']) return std::nullopt;
         return s.graph().divide(n['x'], s.graph().multiply(n['y'], n['z']));
       }},
      {"y*(x+c) -> y*x + y*c", factor * (var('x', kIndices) + c), becomes(y * x + y * c)},
  };
}

std::vector<Rule> choices() {
  const OpSet binary = ops_that(is_binary);
  const auto c = var('c'), t = var('t'), f = var('f'), u = var('u'), g = var('g'), y = var('y'), zero = number(0);
  const auto is_valid = [](S& s, N& n) { return !s.graph().is_invalid(n['f']); };
  return {
      {"!c ? t : f -> c ? f : t", where(logical_not(var('c', kBools)), t, f), becomes(where(c, f, t), is_valid)},
      {"c within c ? t : f", where(var('c', kBools), t, f), close_choice},
      {"(c ? t : f) op (c ? u : g) -> c ? t op u : f op g", op(binary, {where(c, t, f), where(c, u, g)}, 'a'),
       [](S& s, N& n) -> Rewritten {
         if (!has_constant_side(s, n)) return std::nullopt;
         ExprGraph& graph = s.graph();
         const Ops op = graph.op(n['a']);
         return graph.where(n['c'], graph.alu(op, n['t'], n['u']), graph.alu(op, n['f'], n['g']));
       }},
      {"(y + (c ? t : f)) + (c ? u : g)", (y + where(c, t, f)) + where(c, u, g),
       becomes(y + where(c, t + u, f + g), has_constant_side)},
      {"(c ? t : 0) + (c ? 0 : f) -> c ? t : f", where(c, t, zero) + where(c, zero, f), becomes(where(c, t, f))},
  };
}

}  // namespace

std::vector<Rule> combining_rules() {
  std::vector<Rule> all = {{"x|!x -> True", var('x', kBools) | logical_not(var('x', kBools)),
                            [](S& s, N& n) -> Rewritten { return s.like(n['x'], Number::of_bool(true)); }}};
  for (const auto& part : {joining_rules(), products(), choices()}) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace vizd::tinygrad_2026_08
