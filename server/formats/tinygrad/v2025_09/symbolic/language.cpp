#include "formats/tinygrad/v2025_09/symbolic/language.h"

#include "formats/tinygrad/symbolic/expr_graph.h"
#include "formats/tinygrad/symbolic/shared_rules.h"
#include "formats/tinygrad/v2025_09/op_numbers.h"

namespace vizd::tinygrad_2025_09 {

using namespace tinygrad;

namespace {

// dtypes.as_const
Number as_const(const Number& value, Scalar scalar) {
  if (value.is_invalid()) return value;
  if (is_int(scalar)) return Number::of(value.is_integer() ? value.integer : python::truncated(value.real));
  return is_float(scalar) ? Number::of_real(value.as_real()) : Number::of_bool(value.truthy());
}

// MathTrait.alu; a vector that is made of its items is of theirs.
DerivedDType derive_dtype(Ops op, const DTypeSources& of) {
  if (op == Ops::kCmplt || op == Ops::kCmpne || op == Ops::kCmpeq) {
    return {DerivedDType::Kind::kDerived, Scalar::kBool};
  }
  if ((!is_alu(op) && op != Ops::kStack) || of.sources.empty()) return {};
  return {DerivedDType::Kind::kDerived, of.sources.back()};
}

Bounds bounds_of_cast(ExprGraph& graph, ExprId id) {
  const Bounds of_dtype{least(graph.scalar(id)), greatest(graph.scalar(id))};
  const bool keeps = is_unsigned(graph.scalar(id)) || graph.scalar(id) == Scalar::kBool || graph.src(id).empty();
  if (keeps) return of_dtype;
  const Bounds inner = graph.bounds(graph.src(id, 0));
  return {greater(of_dtype.least, inner.least), lesser(inner.greatest, of_dtype.greatest)};
}

// The bounds of a % or & of whole numbers; nothing if only the dtype bounds it.
std::optional<Bounds> bounds_of_operands(ExprGraph& graph, ExprId id) {
  const Bounds a = graph.bounds(graph.src(id, 0)), b = graph.bounds(graph.src(id, 1));
  for (const Number& bound : {a.least, a.greatest, b.least, b.greatest}) {
    if (!bound.is_integer()) return std::nullopt;
  }
  const Wide a0 = a.least.integer, a1 = a.greatest.integer, b0 = b.least.integer, b1 = b.greatest.integer;
  if (graph.op(id) == Ops::kCmod) {
    if (b0 <= 0 && b1 >= 0) return std::nullopt;
    const Wide most = b0 > 0 ? b1 - 1 : -b0 - 1;
    return Bounds{Number::of(a0 >= 0 ? 0 : -most), Number::of(a0 < 0 && a1 <= 0 ? 0 : most)};
  }
  if (b0 == b1 && a0 >= 0 && b0 >= 0) return Bounds{Number::of(0), lesser(a.greatest, b.greatest)};
  if (graph.scalar(id) != Scalar::kBool) return std::nullopt;
  return Bounds{Number::of_bool(a0 != 0 && b0 != 0), Number::of_bool(a1 != 0 && b1 != 0)};
}

std::optional<Bounds> own_bounds(ExprGraph& graph, ExprId id) {
  const Ops op = graph.op(id);
  if (op == Ops::kCast) return bounds_of_cast(graph, id);
  if ((op != Ops::kCmod && op != Ops::kAnd && op != Ops::kXor) || is_float(graph.scalar(id))) return std::nullopt;
  const auto found = op == Ops::kXor ? std::nullopt : bounds_of_operands(graph, id);
  return found.value_or(Bounds{least(graph.scalar(id)), greatest(graph.scalar(id))});
}

std::vector<Rule> simple_rules() {
  const auto x = var('x'), y = var('y');
  const auto never = [](Simplifier& s, const Bindings&) -> Rewritten {
    return s.graph().constant(Scalar::kBool, Number::of_bool(false));
  };
  return {
      {"x+0 -> x", x + number(0), becomes(x)},
      {"x*1 -> x", x * number(1), becomes(x)},
      {"max(x,x) -> x", alu(Ops::kMax, {x, x}), becomes(x)},
      {"x<x -> False", x < x, never},
      {"x!=x -> False", not_equal(x, x), never},
      {"(x%y)%y -> x%y", c_mod(c_mod(var(), y).named('b'), y), becomes(var('b'))},
  };
}

// x//c and x%c, each with its multiple, come together again. The factor of the quotient is that of the remainder times
// c.
std::vector<Rule> quotient_and_remainder_rules() {
  const auto x = var('x'), y = var('y'), c = cvar('c'), d = cvar('d'), e = cvar('e');
  const auto rest = c_mod(x, c), whole = c_div(x, c) * c, rests = c_mod(x, c) * d, wholes = c_div(x, c) * e;
  const auto fits = [](Simplifier& s, const Bindings& n) {
    const ExprGraph& g = s.graph();
    return python::wide_mul(integer_of(g, n['c']), integer_of(g, n['d'])) == integer_of(g, n['e']);
  };
  return {
      {"x%c + (x//c)*c -> x", rest + whole, becomes(x)},
      {"(x%c)*d + (x//c)*(c*d) -> x*d", rests + wholes, becomes(x * d, fits)},
      {"(y + (x//c)*c) + x%c -> y+x", (y + whole) + rest, becomes(y + x)},
      {"(y + x%c) + (x//c)*c -> y+x", (y + rest) + whole, becomes(y + x)},
      {"(y + (x//c)*(c*d)) + (x%c)*d -> y + x*d", (y + wholes) + rests, becomes(y + x * d, fits)},
      {"(y + (x%c)*d) + (x//c)*(c*d) -> y + x*d", (y + rests) + wholes, becomes(y + x * d, fits)},
  };
}

// d*x < c: x < ceil(c/d) where both are positive; -x < -floor(-c/-d) where d is negative and c is not positive.
Rewritten divide_both_sides(Simplifier& s, const Bindings& n) {
  ExprGraph& g = s.graph();
  const Wide d = integer_of(g, n['d']), c = integer_of(g, n['c']);
  if (d > 0 && c > 0) return g.less_than(n['x'], -python::floor_div(-c, d));
  if (d < -1 && c <= 0) return g.less_than(g.negate(n['x']), -python::floor_div(-c, -d));
  return std::nullopt;
}

// x//d < c -> x < c*d, for a c that is not positive x < c*d - (d-1)
Rewritten multiply_both_sides(Simplifier& s, const Bindings& n) {
  ExprGraph& g = s.graph();
  const Wide d = integer_of(g, n['d']), c = integer_of(g, n['c']);
  if (d <= 0) return std::nullopt;
  const Wide bound = python::wide_mul(c, d);
  return g.less_than(n['x'], c > 0 ? bound : python::wide_add(bound, 1 - d));
}

std::vector<Rule> comparison_rules() {
  const auto x = var('x', kIndices), c = cvar('c'), d = cvar('d');
  return {
      moved_term_rule(),
      {"d*x<c -> x<c/d", (d * x) < c, divide_both_sides},
      {"x//d<c -> x<c*d", c_div(x, d) < c, multiply_both_sides},
  };
}

const RuleTable& rules() {
  const OpSet bounded{Ops::kAdd, Ops::kMul, Ops::kCmplt, Ops::kCmpne, Ops::kRange, Ops::kDefineVar, Ops::kSpecial};
  static const RuleTable kRules({
      simple_rules(),
      quotient_and_remainder_rules(),
      {ordering_rule()},
      joining_rules(),
      {single_value_rule(bounded), maximum_rule()},
      constant_rules({Ops::kAdd, Ops::kMul, Ops::kMax}),
      moving_rules(),
      division_rules(),
      comparison_rules(),
      compared_sum_rules(),
  });
  return kRules;
}

}  // namespace

constinit const Language kLanguage = {
    .index = Scalar::kIndex,
    .max_depth = 500,
    .max_stack = 200'000,
    .max_steps = 2'000'000,
    .traversal = Traversal::kWaits,
    .puts_quotient_first = false,
    .number = number_of,
    .as_const = as_const,
    .derive_dtype = derive_dtype,
    .own_bounds = own_bounds,
    .rules = rules,
};

}  // namespace vizd::tinygrad_2025_09
