#include "formats/tinygrad/v2026_08/symbolic/earlier_rules.h"

#include <algorithm>
#include <cassert>

#include "formats/tinygrad/symbolic/expr_terms.h"
#include "formats/tinygrad/symbolic/shared_rules.h"
#include "formats/tinygrad/v2025_09/symbolic/language.h"
#include "formats/tinygrad/v2026_08/symbolic/language.h"

namespace vizd::tinygrad_2026_08 {
namespace {

using S = Simplifier;
using N = const Bindings;
using Names = std::initializer_list<std::string_view>;

// The rules but those of these names, each of which is there.
std::vector<Rule> without(std::vector<Rule> rules, Names names) {
  for (const std::string_view name : names) {
    [[maybe_unused]] const auto gone = std::erase_if(rules, [&](const Rule& rule) { return rule.name == name; });
    assert(gone > 0);
  }
  return rules;
}

// Returns the rules with these names, in their order.
std::vector<Rule> only(const std::vector<Rule>& rules, Names names) {
  std::vector<Rule> kept;
  for (const std::string_view name : names) {
    [[maybe_unused]] const auto before = kept.size();
    std::ranges::copy_if(rules, std::back_inserter(kept), [&](const Rule& rule) { return rule.name == name; });
    assert(kept.size() > before);
  }
  return kept;
}

Pattern gated_value() { return where(var('c'), var('x'), invalid('i')); }

bool is_index(const ExprGraph& g, ExprId id) { return g.scalar(id) == g.language().index; }

// An index loses its gate where it is cast or compared; what else is compared keeps it.
Rewritten compare_gated(ExprGraph& g, N& n, ExprId compared) {
  if (is_index(g, n['i'])) return compared;
  return g.where(n['c'], compared, g.constant(Scalar::kBool, Number::invalid()));
}

// propagate_invalid
std::vector<Rule> invalid_rules_of_13() {
  const OpSet comparing = ops_that(is_comparison), counting = ops_that(is_binary).without(comparing);
  const Pattern gate = gated_value(), y = var('y');
  std::vector<Rule> all = {
      {"cast of a gated index", cast(gate, {}, 'o'),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         return is_index(g, n['i']) ? Rewritten(g.cast(n['x'], g.scalar(n['o']))) : std::nullopt;
       }},
      {"f(gated x) -> gated f(x)", op(ops_that(is_unary), {gate}, 'o'),
       [](S& s, N& n) -> Rewritten {
         const ExprId src[] = {n['x']};
         return s.graph().where(n['c'], s.graph().with_sources(n['o'], src), n['i']);
       }},
      {"(gated x) op y -> gated (x op y)", op(counting, {gate, y}, 'a'),
       [](S& s, N& n) -> Rewritten {
         return s.graph().where(n['c'], s.graph().alu(s.graph().op(n['a']), n['x'], n['y']), n['i']);
       }},
      {"y op (gated x) -> gated (y op x)", op(counting, {y, gate}, 'a'),
       [](S& s, N& n) -> Rewritten {
         return s.graph().where(n['c'], s.graph().alu(s.graph().op(n['a']), n['y'], n['x']), n['i']);
       }},
      {"(gated x) < y", op(comparing, {gate, y}, 'a'),
       [](S& s, N& n) { return compare_gated(s.graph(), n, s.graph().alu(s.graph().op(n['a']), n['x'], n['y'])); }},
      {"y < (gated x)", op(comparing, {y, gate}, 'a'),
       [](S& s, N& n) { return compare_gated(s.graph(), n, s.graph().alu(s.graph().op(n['a']), n['y'], n['x'])); }},
      {"f(Invalid) -> Invalid", op(ops_that(is_unary), {invalid('i')}), [](S&, N& n) -> Rewritten { return n['i']; }},
      {"a ? (gated x) : y of one gate", where(var('c'), gate, y),
       [](S& s, N& n) -> Rewritten {
         ExprGraph& g = s.graph();
         return g.is_invalid(n['y']) ? std::nullopt
                                     : Rewritten(g.where(n['c'], g.where(n['c'], n['x'], n['y']), n['i']));
       }},
  };
  for (Rule& rule :
       only(invalid_rules(), {"Invalid op y -> Invalid", "c ? Invalid : v -> !c ? v : Invalid",
                              "a ? (gated x) : y -> gated (a ? x : y)", "a ? b : (gated x) -> gated (a ? b : x)",
                              "a store to nowhere is none", "a load from nowhere is its other value"})) {
    all.push_back(std::move(rule));
  }
  return all;
}

std::vector<Rule> invalid_rules_of_12() {
  const OpSet comparing = ops_that(is_comparison), counting = ops_that(is_binary).without(comparing);
  const OpSet turning = ops_that(is_commutative).without(comparing);
  const Pattern gate = gated_value(), y = var('y');
  const auto inside = [](S& s, N& n) -> Rewritten {
    return s.graph().where(n['c'], s.graph().alu(s.graph().op(n['a']), n['x'], n['y']), n['i']);
  };
  const auto nowhere = [](S&, N& n) -> Rewritten { return n['i']; };
  return {
      {"cast of a gated x", cast(gate, {}, 'o'),
       [](S& s, N& n) -> Rewritten { return s.graph().cast(n['x'], s.graph().scalar(n['o'])); }},
      {"(gated x) op y -> gated (x op y)", op_in_any_order(turning, {gate, y}, 'a'), inside},
      {"(gated x) op y, in that order", op(counting.without(turning), {gate, y}, 'a'), inside},
      {"(gated x) < y", op(comparing, {gate, y}, 'a'),
       [](S& s, N& n) -> Rewritten { return s.graph().alu(s.graph().op(n['a']), n['x'], n['y']); }},
      {"Invalid op y -> Invalid", op_in_any_order(turning, {invalid('i'), var(0, kIndices)}), nowhere},
      {"Invalid op y, in that order", op(counting.without(turning), {invalid('i'), var(0, kIndices)}), nowhere},
  };
}

// The base of a quotient and a remainder that come together again, of 0.13.0: neither merged with another division but
// for one, nor shifted.
Rewritten plain_quotient_base(const ExprGraph& g, ExprId q, ExprId base, Wide div, bool is_merged_too) {
  if (g.op(q) != Ops::kFloordiv || !g.is_const(g.src(q, 1))) return std::nullopt;
  const Wide divisor = g.number(g.src(q, 1)).integer;
  if (divisor == div && g.src(q, 0) == base) return base;
  const bool is_merged = is_merged_too && div > 0 && g.op(base) == Ops::kFloordiv && g.is_const(g.src(base, 1)) &&
                         g.src(q, 0) == g.src(base, 0) &&
                         divisor == python::wide_mul(g.number(g.src(base, 1)).integer, div);
  return is_merged ? Rewritten(base) : std::nullopt;
}

// fold_add_divmod_recombine
Rewritten join_plain_quotient(S& s, N& n) {
  ExprGraph& g = s.graph();
  const auto terms = split(g, n['x'], Ops::kAdd);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto [mod, mul] = pop_const(g, terms[i], Ops::kMul);
    if (g.op(mod) != Ops::kFloormod || !g.is_const(g.src(mod, 1))) continue;
    const ExprId base = g.src(mod, 0);
    const Wide div = g.number(g.src(mod, 1)).integer;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      const ExprId v = terms[j];
      const bool fits = i != j && g.op(v) == Ops::kMul && g.is_const(g.src(v, 1)) &&
                        g.number(g.src(v, 1)).integer == python::wide_mul(div, mul);
      if (!fits) continue;
      std::vector<ExprId> sum{ExprId{}};
      for (std::size_t k = 0; k < terms.size(); ++k) {
        if (k != i && k != j) sum.push_back(terms[k]);
      }
      const ExprId q = g.src(v, 0);
      if (plain_quotient_base(g, q, base, div, true)) {
        sum[0] = g.multiply(base, mul);
        return sum_of(g, sum);
      }
      const bool is_partial = div > 0 && g.op(q) == Ops::kFloormod && g.is_const(g.src(q, 1)) &&
                              g.number(g.src(q, 1)).integer > 0 &&
                              plain_quotient_base(g, g.src(q, 0), base, div, false);
      if (!is_partial) continue;
      sum[0] = g.multiply(g.remainder(base, python::wide_mul(div, g.number(g.src(q, 1)).integer)), mul);
      return sum_of(g, sum);
    }
  }
  return std::nullopt;
}

// What symbolic_simple and symbolic have had in both, but for // and %.
std::vector<Rule> shared_by_both() {
  const auto x = var('x');
  return {
      {"x+0 -> x", x + number(0), becomes(x)},
      {"x^0 -> x", var('x', kIntsOrBool) ^ number(0), becomes(x)},
      {"a constant cast", op({Ops::kCast}, {cvar('c')}, 'r'),
       [](S& s, N& n) -> Rewritten { return s.like(n['r'], s.graph().number(n['c'])); }},
      // A vector of one number is that number.
      {"a vector of one constant",
       Pattern{.ops = {Ops::kStack}, .sources = Pattern::Sources::kAllAlike, .src = {cvar('c')}},
       [](S&, N& n) -> Rewritten { return n.is_bound('c') ? Rewritten(n['c']) : std::nullopt; }},
  };
}

std::vector<Rule> folding_rules_of_13() {
  auto all = without(folding_rules(),
                     {"x+0, x^0, x|0 -> x", "x<<0, x>>0 -> x", "x != False -> x", "x%c + (x//c)*c -> x",
                      "(x&mask)//c -> x//c", "a constant cast", "bits of bits", "a ? c : (b ? c : d) -> a|b ? c : d"});
  for (Rule& rule : shared_by_both()) all.push_back(std::move(rule));
  all.push_back({"x%c + (x//c)*c -> x, of 0.13.0", Pattern{.ops = {Ops::kAdd}, .scalars = kIndices, .name = 'x'},
                 join_plain_quotient});
  return all;
}

// x//c and x%c, each with its multiple, come together again.
std::vector<Rule> joined_divisions_of_12() {
  const auto x = var('x'), y = var('y'), c = cvar('c'), d = cvar('d'), e = cvar('e'), a = cvar('a'), b = cvar('b');
  const auto fits = [](S& s, N& n) {
    const ExprGraph& g = s.graph();
    return python::wide_mul(integer_of(g, n['c']), integer_of(g, n['d'])) == integer_of(g, n['e']);
  };
  const auto nests = [](S& s, N& n) {
    const ExprGraph& g = s.graph();
    return python::wide_mul(integer_of(g, n['a']), integer_of(g, n['c'])) == integer_of(g, n['b']);
  };
  const auto rest = c_mod(x, c), whole = c_div(x, c) * c, rests = c_mod(x, c) * d, wholes = c_div(x, c) * e;
  return {
      {"x%c + (x//c)*c -> x", rest + whole, becomes(x)},
      {"(x//a)%c + (x//(a*c))*c -> x//a", c_mod(c_div(x, a), c) + c_div(x, b) * c, becomes(c_div(x, a), nests)},
      {"(x//c)*(c*d) + (x%c)*d -> x*d", wholes + rests, becomes(x * d, fits)},
      {"(y + (x//c)*c) + x%c -> y+x", (y + whole) + rest, becomes(y + x)},
      {"(y + x%c) + (x//c)*c -> y+x", (y + rest) + whole, becomes(y + x)},
      {"(y + (x//c)*(c*d)) + (x%c)*d -> y + x*d", (y + wholes) + rests, becomes(y + x * d, fits)},
      {"(y + (x%c)*d) + (x//c)*(c*d) -> y + x*d", (y + rests) + wholes, becomes(y + x * d, fits)},
  };
}

std::vector<Rule> folding_rules_of_12() {
  auto all = without(folding_rules(),
                     {"x+0, x^0, x|0 -> x", "x<<0, x>>0 -> x", "x != False -> x", "x%c + (x//c)*c -> x",
                      "(x&mask)>>k -> x>>k", "(x&mask)//c -> x//c", "a constant cast", "bits of bits", "x&0 -> 0",
                      "(x^y)^y -> x", "int(x) != constant", "bool(x) -> x != 0", "a ? c : (b ? c : d) -> a|b ? c : d"});
  for (Rule& rule : shared_by_both()) all.push_back(std::move(rule));
  for (Rule& rule : joined_divisions_of_12()) all.push_back(std::move(rule));
  return all;
}

std::vector<Rule> earlier_combining_rules() {
  return without(combining_rules(), {"c within c ? t : f", "(c ? t : 0) + (c ? 0 : f) -> c ? t : f"});
}

// d*x < c, where both are positive; and where d is negative and c is not positive.
Rewritten divide_comparison(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Wide d = integer_of(g, n['d']), c = integer_of(g, n['c']);
  if (d > 0 && c > 0) return g.less_than(n['x'], -python::floor_div(-c, d));
  if (d < -1 && c <= 0) return g.less_than(g.negate(n['x']), -python::floor_div(-c, -d));
  return std::nullopt;
}

std::vector<Rule> earlier_comparison_rules(OpSet with_one_value) {
  const auto x = var('x', kIndices), c = cvar('c'), d = cvar('d');
  const ScalarSet wide{Scalar::kInt64};
  auto all = without(comparison_rules(), {"what has one value", "c<x ? x : c -> max", "x<c ? c : x -> max",
                                          "d*x<c -> x<c/d", "x//d<c -> x<c*d", "after nothing"});
  for (Rule& rule : all) {
    if (rule.name == "64 bits that fit 32") {
      rule.pattern = op(ops_that(is_binary), {var('x', wide), var('y', wide)}, 'u');
    }
  }
  all.push_back(single_value_rule(with_one_value));
  all.push_back({"d*x<c -> x<c/d", (d * x) < c, divide_comparison});
  all.push_back({"after nothing", op({Ops::kAfter}, {var('s')}), [](S&, N& n) -> Rewritten { return n['s']; }});
  return all;
}

std::vector<Rule> comparison_rules_of_13() {
  const auto x = var('x', kIndices), c = cvar('c'), d = cvar('d');
  auto all = earlier_comparison_rules(
      {Ops::kCmplt, Ops::kCmpne, Ops::kFloordiv, Ops::kFloormod, Ops::kDefineVar, Ops::kBind, Ops::kSpecial});
  all.push_back({"x//d<c -> x<c*d, of 0.13.0", floor_div(x, d) < c, [](S& s, N& n) -> Rewritten {
                   ExprGraph& g = s.graph();
                   const Wide divisor = integer_of(g, n['d']);
                   if (divisor <= 0) return std::nullopt;
                   return g.less_than(n['x'], python::wide_mul(integer_of(g, n['c']), divisor));
                 }});
  return all;
}

std::vector<Rule> comparison_rules_of_12() {
  const auto x = var('x', kIndices), c = cvar('c'), d = cvar('d');
  auto all = without(earlier_comparison_rules(ops_that(is_alu).with({Ops::kDefineVar, Ops::kSpecial})),
                     {"(x//c)//d -> x//(c*d)", "r % its end -> r", "r // its end -> 0"});
  all.push_back({"x//d<c -> x<c*d, of 0.12.0", c_div(x, d) < c, [](S& s, N& n) -> Rewritten {
                   ExprGraph& g = s.graph();
                   const Wide divisor = integer_of(g, n['d']), bound = integer_of(g, n['c']);
                   if (divisor <= 0) return std::nullopt;
                   const Wide product = python::wide_mul(bound, divisor);
                   return g.less_than(n['x'], bound > 0 ? product : product - (divisor - 1));
                 }});
  return all;
}

}  // namespace

const RuleTable& rules_of_12() {
  static const RuleTable kRules({invalid_rules_of_12(),
                                 folding_rules_of_12(),
                                 {ordering_rule()},
                                 earlier_combining_rules(),
                                 comparison_rules_of_12(),
                                 tinygrad_2025_09::division_rules()});
  return kRules;
}

const RuleTable& rules_of_13() {
  static const RuleTable kRules({invalid_rules_of_13(),
                                 folding_rules_of_13(),
                                 {ordering_rule()},
                                 earlier_combining_rules(),
                                 comparison_rules_of_13(),
                                 division_rules_of_13()});
  return kRules;
}

}  // namespace vizd::tinygrad_2026_08
