// The most general rules: what folds by itself, zeros, constants, casts and choices (symbolic.py symbolic_simple).
#include <cmath>
#include <limits>

#include "formats/tinygrad/symbolic/const_fold.h"
#include "formats/tinygrad/symbolic/expr_terms.h"
#include "formats/tinygrad/symbolic/shared_rules.h"
#include "formats/tinygrad/v2026_08/dtype.h"
#include "formats/tinygrad/v2026_08/symbolic/language.h"

namespace vizd::tinygrad_2026_08 {
namespace {

using S = Simplifier;
using N = const Bindings;

const ScalarSet kConcrete{
    Scalar::kBool,        Scalar::kInt8,    Scalar::kUint8,    Scalar::kInt16,   Scalar::kUint16,  Scalar::kInt32,
    Scalar::kUint32,      Scalar::kInt64,   Scalar::kUint64,   Scalar::kFp8e4m3, Scalar::kFp8e5m2, Scalar::kFp8e4m3fnuz,
    Scalar::kFp8e5m2fnuz, Scalar::kFloat16, Scalar::kBfloat16, Scalar::kFloat32, Scalar::kFloat64};

// The numbers of a constant, or of a vector of them; nothing for anything else.
std::optional<std::vector<Number>> numbers_of(const ExprGraph& g, ExprId id) {
  if (g.is_const(id)) return std::vector<Number>{g.number(id)};
  std::vector<Number> numbers;
  for (const ExprId item : g.src(id)) {
    if (!g.is_const(item)) return std::nullopt;
    numbers.push_back(g.number(item));
  }
  return numbers;
}

Rewritten fold_constants(S& s, N& n) {
  ExprGraph& g = s.graph();
  const ExprId root = n['a'];
  std::vector<std::vector<Number>> operands;
  std::size_t count = 0;
  for (const ExprId source : g.src(root)) {
    auto numbers = numbers_of(g, source);
    if (!numbers) return std::nullopt;
    if (g.op(source) == Ops::kStack) count = std::max(count, numbers->size());
    operands.push_back(std::move(*numbers));
  }
  const auto fold = [&](std::size_t i) -> std::optional<Number> {
    std::vector<Number> each;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const bool is_vector = g.op(g.src(root, k)) == Ops::kStack;
      if (is_vector && i >= operands[k].size()) return std::nullopt;
      each.push_back(operands[k][is_vector ? i : 0]);
    }
    return fold_numbers(g.op(root), each);
  };
  const bool is_vector = std::ranges::any_of(g.src(root), [&](ExprId id) { return g.op(id) == Ops::kStack; });
  std::vector<ExprId> folded;
  for (std::size_t i = 0; i < (is_vector ? count : 1); ++i) {
    const auto value = fold(i);
    if (!value) {
      g.fail();
      return std::nullopt;
    }
    if (!is_vector) return s.like(root, *value);
    folded.push_back(g.constant(g.scalar(root), *value));
  }
  return g.make(Ops::kStack, folded);
}

// The b with q == b//div and b%div == base%div, where there is one: the quotient may have been merged or shifted.
Rewritten quotient_base(ExprGraph& g, ExprId q_whole, ExprId base, Wide div) {
  const auto [q, s] = pop_const(g, q_whole);
  auto [num, a] = pop_const(g, base);
  if (g.op(q) != Ops::kFloordiv || !g.is_const(g.src(q, 1))) return std::nullopt;
  const Wide divisor = g.number(g.src(q, 1)).integer;
  Wide period = div;
  const bool is_merged = div > 0 && g.op(num) == Ops::kFloordiv && g.is_const(g.src(num, 1)) &&
                         divisor == python::wide_mul(g.number(g.src(num, 1)).integer, div);
  if (is_merged) {
    const Wide c = g.number(g.src(num, 1)).integer;
    num = g.src(num, 0);
    a = python::wide_mul(a, c);
    period = python::wide_mul(c, div);
  } else if (divisor != div) {
    return std::nullopt;
  }
  const auto [x, xa] = pop_const(g, num);
  const auto [p, pa] = pop_const(g, g.src(q, 0));
  if (period == 0) g.fail();
  if (p != x || period == 0) return std::nullopt;
  const Wide t = xa + a - pa;
  if (python::floor_mod(t, period) != 0) return std::nullopt;
  const Wide k = python::floor_div(t, period) - s;
  return k != 0 ? g.subtract(base, g.number_expr(Number::of(python::wide_mul(k, div)))) : base;
}

// (base%div)*mul and its quotient's multiple, in one sum, come together again.
Rewritten join_quotient_and_remainder(S& s, N& n) {
  ExprGraph& g = s.graph();
  const auto terms = split(g, n['x'], Ops::kAdd);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto [mod, mul] = pop_const(g, terms[i], Ops::kMul);
    if (g.op(mod) != Ops::kFloormod || !g.is_const(g.src(mod, 1))) continue;
    const ExprId base = g.src(mod, 0);
    const Wide div = g.number(g.src(mod, 1)).integer;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      const auto [q, scale] = pop_const(g, terms[j], Ops::kMul);
      if (i == j || scale != python::wide_mul(div, mul)) continue;
      std::vector<ExprId> sum{ExprId{}};
      for (std::size_t k = 0; k < terms.size(); ++k) {
        if (k != i && k != j) sum.push_back(terms[k]);
      }
      if (const Rewritten b = quotient_base(g, q, base, div)) {
        sum[0] = g.multiply(*b, mul);
        return sum_of(g, sum);
      }
      if (g.op(q) != Ops::kFloormod || !g.is_const(g.src(q, 1))) continue;
      const Wide d = g.number(g.src(q, 1)).integer;
      if (d <= 0) continue;
      if (const Rewritten b = quotient_base(g, g.src(q, 0), base, div)) {
        sum[0] = g.multiply(g.remainder(*b, python::wide_mul(div, d)), mul);
        return sum_of(g, sum);
      }
    }
  }
  return std::nullopt;
}

Rewritten fold_choice(S& s, N& n) {
  ExprGraph& g = s.graph();
  const ExprId chosen = g.number(n['g']).truthy() ? n['a'] : n['b'];
  const bool commits = g.is_const(chosen) && is_weak(g.scalar(chosen)) && !is_weak(g.scalar(n['w']));
  return commits ? g.constant(g.scalar(n['w']), g.number(chosen)) : chosen;
}

bool are_integers(const ExprGraph& g, ExprId a, ExprId b) {
  return g.number(a).is_integer() && g.number(b).is_integer();
}

Rewritten shift_masked(S& s, N& n) {
  ExprGraph& g = s.graph();
  if (!are_integers(g, n['m'], n['k'])) return std::nullopt;
  const Wide k = integer_of(g, n['k']);
  if (k < 0 || k > 120) return std::nullopt;
  if ((integer_of(g, n['m']) | ((Wide{1} << static_cast<int>(k)) - 1)) != -1) return std::nullopt;
  return g.binary(Ops::kShr, n['x'], Number::of(k));
}

Rewritten divide_masked(S& s, N& n) {
  ExprGraph& g = s.graph();
  if (!are_integers(g, n['m'], n['c'])) return std::nullopt;
  const Wide c = integer_of(g, n['c']);
  if (c <= 0 || (c & (c - 1)) != 0 || (integer_of(g, n['m']) | (c - 1)) != -1) return std::nullopt;
  return g.floor_divide(n['x'], c);
}

Rewritten multiply_by_zero(S& s, N& n) {
  const ExprGraph& g = s.graph();
  const bool is_undefined =
      g.is_const(n['x']) && g.number(n['x']).kind == Number::Kind::kFloat && !std::isfinite(g.number(n['x']).real);
  return s.like(n['x'], is_undefined ? Number::of_real(std::nan("")) : Number::of(0));
}

Rewritten compare_cast(S& s, N& n) {
  const Number& c = s.graph().number(n['c']);
  if (equal(c, Number::of(0))) return n['x'];
  if (equal(c, Number::of(1))) return s.graph().logical_not(n['x']);
  return s.like(n['x'], Number::of_bool(true));
}

Rewritten bitcast_constant(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Scalar from = g.scalar(n['c']), to = g.scalar(n['r']);
  const auto value = bitcast_number(g.number(n['c']), from, to);
  return value ? Rewritten(s.like(n['r'], *value)) : std::nullopt;
}

Rewritten bitcast_twice(S& s, N& n) {
  ExprGraph& g = s.graph();
  const Scalar from = g.scalar(n['x']), to = g.scalar(n['b']);
  if (is_weak(from) || is_weak(to)) {
    g.fail();
    return std::nullopt;
  }
  const ExprId src[] = {n['x']};
  return from == to ? n['x'] : g.node(Ops::kBitcast, to, src);
}

Pattern is(bool value) { return {.ops = {Ops::kConst}, .scalars = kBools, .number = Number::of_bool(value)}; }

std::vector<Rule> self_folding() {
  const auto x = var('x'), y = var('y'), c = cvar('c'), p = var('x', kBools);
  const auto is_true = [](S& s, N& n) { return s.graph().number(n['c']).truthy(); };
  const auto negated = [](S& s, N& n) -> Rewritten { return s.graph().negate(n['x']); };
  return {
      {"x+0, x^0, x|0 -> x", op_in_any_order({Ops::kAdd, Ops::kXor, Ops::kOr}, {x, number(0)}), becomes(x)},
      {"x<<0, x>>0 -> x", op({Ops::kShl, Ops::kShr}, {x, number(0)}), becomes(x)},
      {"x*1 -> x", x * number(1), becomes(x)},
      {"x//x -> 1", floor_div(x, x), [](S& s, N& n) -> Rewritten { return s.like(n['x'], 1); }},
      {"x//1 -> x", floor_div(x, number(1)), becomes(x)},
      {"x//-1 -> -x", floor_div(x, number(-1)), negated},
      {"(x^y)^y -> x", (x ^ y) ^ y, becomes(x)},
      {"(x%y)%y -> x%y", (var() % y).named('b') % y, becomes(var('b'))},
      {"x%c + (x//c)*c -> x", Pattern{.ops = {Ops::kAdd}, .scalars = kIndices, .name = 'x'},
       join_quotient_and_remainder},
      {"x & True -> x", p & c, becomes(x, is_true)},
      {"x & False -> False", p & c, becomes(c)},
      {"x | True -> True", p | c, becomes(c, is_true)},
      {"x | False -> x", p | c, becomes(x)},
      {"x != False -> x", not_equal(p, is(false)), becomes(x)},
      {"x&x, x|x, max(x,x) -> x", op({Ops::kOr, Ops::kAnd, Ops::kMax}, {x, x}), becomes(x)},
      {"!!x -> x", logical_not(logical_not(p)), becomes(x)},
      {"x ? True : False -> x", where(p, is(true), is(false)), becomes(x)},
      {"x ? False : True -> !x", where(p, is(false), is(true)), negated},
      {"int(x) != constant", not_equal(cast(p, kIntsOrIndices), c), compare_cast},
      {"trunc of an integer", alu(Ops::kTrunc, {var('x', kIntsOrBool)}), becomes(x)},
  };
}

std::vector<Rule> zeros() {
  const auto x = var('x'), c = cvar('c'), m = cvar('m'), k = cvar('k'), zero = number(0);
  const auto nothing = [](S& s, N& n) -> Rewritten { return s.like(n['x'], 0); };
  const auto never = [](S& s, N&) -> Rewritten { return s.graph().constant(Scalar::kBool, Number::of_bool(false)); };
  return {
      {"x<x -> False", x < x, never},
      {"x%x -> 0", x % x, nothing},
      {"x^x -> 0", x ^ x, nothing},
      {"x&0 -> 0", x & zero, nothing},
      {"(x&mask)>>k -> x>>k", (x & m) >> k, shift_masked},
      {"(x&mask)//c -> x//c", floor_div(x & m, c), divide_masked},
      {"x!=x -> False", not_equal(var('x', kIntsOrBool), x), never},
  };
}

std::vector<Rule> constants() {
  const Pattern constant{.ops = {Ops::kConst, Ops::kStack}};
  return {
      {"a constant cast", op({Ops::kCast}, {cvar('c')}, 'r', kConcrete),
       [](S& s, N& n) -> Rewritten { return s.like(n['r'], s.graph().number(n['c'])); }},
      {"f(constant)", op(ops_that(is_unary), {constant}, 'a'), fold_constants},
      {"constant op constant", op(ops_that(is_binary).without({Ops::kThreefry}), {constant, constant}, 'a'),
       fold_constants},
      {"constant ? constant : constant", op({Ops::kWhere, Ops::kMulacc}, {constant, constant, constant}, 'a'),
       fold_constants},
  };
}

std::vector<Rule> folded_products() {
  const auto x = var('x'), y = var('y'), zero = number(0), p = var('x', kBools), q = var('y', kBools);
  const auto not_a_number = [](S& s, N& n) -> Rewritten { return s.like(n['x'], Number::of_real(std::nan(""))); };
  return {
      {"bool*bool -> &", p * q, becomes(x & y)},
      {"bool+bool -> |", p + q, becomes(x | y)},
      {"max(bool, bool) -> |", alu(Ops::kMax, {p, q}), becomes(x | y)},
      {"0/0 -> nan", divide(number(0, 'x'), zero), not_a_number},
      {"(x*0)/0 -> nan", divide(x * zero, zero), not_a_number},
      {"x/x -> 1", divide(x, x), [](S& s, N& n) -> Rewritten { return s.like(n['x'], 1); }},
      {"(x*y)/y -> x", divide(x * y, y), becomes(x)},
      {"x*0 -> 0", x * zero, multiply_by_zero},
  };
}

std::vector<Rule> casts_and_choices() {
  const ScalarSet u64{Scalar::kUint64}, u32{Scalar::kUint32};
  const auto a = var('a'), b = var('b'), c = var('c'), d = var('d'), v = var('v');
  return {
      {"a cast to what it is", Pattern{.ops = {Ops::kCast, Ops::kBitcast}, .name = 'r'},
       [](S& s, N& n) -> Rewritten {
         const ExprGraph& g = s.graph();
         const ExprId source = g.src(n['r'], 0);
         const bool is_same = g.scalar(n['r']) == g.scalar(source) &&
                              g.values().equality(g.dtype(n['r'])) == g.values().equality(g.dtype(source));
         return is_same ? Rewritten(source) : std::nullopt;
       }},
      {"a constant's bits", op({Ops::kBitcast}, {cvar('c')}, 'r'), bitcast_constant},
      {"a cast there and back", cast(cast(var('x'), {}, 'a'), {}, 'b'),
       [](S& s, N& n) -> Rewritten {
         const ExprGraph& g = s.graph();
         const bool is_back =
             g.scalar(n['x']) == g.scalar(n['b']) && casts_without_loss(g.scalar(n['b']), g.scalar(n['a']));
         return is_back ? Rewritten(n['x']) : std::nullopt;
       }},
      {"bits of bits", op({Ops::kBitcast}, {op({Ops::kBitcast}, {var('x')})}, 'b'), bitcast_twice},
      {"bool(x) -> x != 0", cast(var('x'), kBools), becomes(not_equal(var('x'), number(0)))},
      {"the low half of two", cast((var(0, u64) << number(32)) | cast(var('y', u32), u64), u32), becomes(var('y'))},
      {"the high half of two", ((cast(var('x', u32), u64) << number(32)) | cast(var(0, u32), u64)) >> number(32),
       [](S& s, N& n) -> Rewritten { return s.graph().cast(n['x'], Scalar::kUint64); }},
      {"c ? v : v -> v", where(var(), v, v), becomes(v)},
      {"constant ? a : b", where(cvar('g'), a, b).named('w'), fold_choice},
      {"a ? (b ? c : d) : d -> a&b ? c : d", where(a, where(b, c, d), d), becomes(where(a & b, c, d))},
      {"a ? c : (b ? c : d) -> a|b ? c : d", where(a, c, where(b, c, d)), becomes(where(a | b, c, d))},
  };
}

}  // namespace

std::vector<Rule> folding_rules() {
  std::vector<Rule> all;
  for (const auto& part : {self_folding(), zeros(), constants(), folded_products(), casts_and_choices()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace vizd::tinygrad_2026_08
