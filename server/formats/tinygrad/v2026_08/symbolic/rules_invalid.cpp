// Invalid poisons the value: ops move inside the gate that chooses it, so that it comes to where it is read or written
// and folds there (symbolic.py pm_data_invalid).
#include "formats/tinygrad/symbolic/simplifier.h"
#include "formats/tinygrad/v2026_08/symbolic/language.h"

namespace vizd::tinygrad_2026_08 {
namespace {

using S = Simplifier;
using N = const Bindings;

Pattern gate() { return where(var('c'), var('x'), invalid('i')); }

Pattern or_cast(const Pattern& of) { return {.alternatives = {of, op({Ops::kCast}, {of})}}; }

Pattern invalid_index() {
  Pattern index = op({Ops::kIndex}, {var(), invalid('i')});
  index.more_sources = true;
  return or_cast(index);
}

}  // namespace

std::vector<Rule> invalid_rules() {
  const OpSet converting = ops_that(is_unary).with({Ops::kCast, Ops::kBitcast});
  const OpSet binary = ops_that(is_binary), comparing = ops_that(is_comparison);
  Pattern broadcast{.ops = {Ops::kStack}, .sources = Pattern::Sources::kAllAlike, .src = {invalid('i')}};
  Pattern load = op({Ops::kLoad}, {invalid_index()}, 'x');
  load.more_sources = true;
  const auto invalid_itself = [](S&, N& n) -> Rewritten { return n['i']; };
  return {
      {"a vector of Invalid is Invalid", broadcast, invalid_itself},
      {"f(Invalid) -> Invalid", op(converting, {invalid('i')}), invalid_itself},
      {"f(gated x) -> gated f(x)", op(converting, {gate()}, 'o'),
       [](S& s, N& n) -> Rewritten {
         const ExprId src[] = {n['x']};
         return s.graph().where(n['c'], s.graph().with_sources(n['o'], src), n['i']);
       }},
      {"(gated x) op y -> gated (x op y)", op(binary, {gate(), var('y')}, 'a'),
       [](S& s, N& n) -> Rewritten {
         return s.graph().where(n['c'], s.graph().alu(s.graph().op(n['a']), n['x'], n['y']), n['i']);
       }},
      {"y op (gated x) -> gated (y op x)", op(binary, {var('y'), gate()}, 'a'),
       [](S& s, N& n) -> Rewritten {
         return s.graph().where(n['c'], s.graph().alu(s.graph().op(n['a']), n['y'], n['x']), n['i']);
       }},
      {"Invalid op y -> Invalid", op_in_any_order(binary.without(comparing), {invalid('i'), var()}), invalid_itself},
      {"Invalid as a condition -> Invalid", where(invalid('i'), var(), var()), invalid_itself},
      {"a gated condition -> gated", where(gate(), var('a'), var('b')),
       [](S& s, N& n) -> Rewritten {
         return s.graph().where(n['c'], s.graph().where(n['x'], n['a'], n['b']), n['i']);
       }},
      {"c ? Invalid : v -> !c ? v : Invalid", where(var('c'), invalid('i'), var('v')),
       [](S& s, N& n) -> Rewritten {
         if (s.graph().is_invalid(n['v'])) return n['i'];
         return s.graph().where(s.graph().logical_not(n['c']), n['v'], n['i']);
       }},
      {"a ? (gated x) : y -> gated (a ? x : y)", where(var('a'), gate(), var('y')),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         if (g.is_invalid(n['y'])) return std::nullopt;
         const ExprId condition = g.binary(Ops::kOr, g.logical_not(n['a']), n['c']);
         return g.where(condition, g.where(n['a'], n['x'], n['y']), n['i']);
       }},
      {"a ? b : (gated x) -> gated (a ? b : x)", where(var('a'), var('b'), gate()),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         if (g.is_invalid(n['b'])) return std::nullopt;
         return g.where(g.binary(Ops::kOr, n['a'], n['c']), g.where(n['a'], n['b'], n['x']), n['i']);
       }},
      {"a store to nowhere is none", op({Ops::kStore}, {invalid_index(), var()}),
       [](S& s, N&) -> Rewritten { return s.graph().node(Ops::kNoop, Scalar::kVoid, {}); }},
      {"a load from nowhere is its other value", load,
       [](S& s, N& n) -> Rewritten {
         return s.graph().src(n['x']).size() > 1 ? s.graph().src(n['x'], 1) : s.like(n['x'], 0);
       }},
  };
}

}  // namespace vizd::tinygrad_2026_08
