// Rules for sums and products, and those that several ops share (tinygrad's symbolic.py: self folding, combine terms,
// two stage ALU folding, move consts to the end).
#include "formats/tinygrad/v2025_09/symbolic/simplify_rules.h"

namespace vizd::tinygrad_2025_09 {
namespace {

using Parts = std::optional<std::pair<ExprId, ExprId>>;

// The parts of "x op constant", in either order for a commutative op; the constant second.
template <typename Use>
Rewritten with_constant(ExprGraph& g, ExprId id, Ops op, Use use) {
  if (g.op(id) != op) return std::nullopt;
  for (const auto [x, c] : both_orders(g, id)) {
    if (!g.is_const(c)) continue;
    if (const Rewritten result = use(x, c)) return result;
  }
  return std::nullopt;
}

// x op c of an op that is not commutative.
Parts division_by_constant(const ExprGraph& g, ExprId id, Ops op) {
  if (g.op(id) != op || !g.is_const(g.src(id, 1))) return std::nullopt;
  return std::pair(g.src(id, 0), g.src(id, 1));
}

// x + 0 -> x
Rewritten add_zero(Simplifier& s, ExprId id) {
  for (const auto [x, c] : both_orders(s.graph(), id)) {
    if (s.graph().is_const(c, 0)) return x;
  }
  return std::nullopt;
}

// The pair of x%c and (x//c)*c, or of (x%c1)*c2 and (x//c1)*c3 where c1*c2 == c3: what they add up to is x, or x*c2.
Rewritten join_quotient_and_remainder(ExprGraph& g, ExprId remainder, ExprId product, bool scaled) {
  const auto with = [&](ExprId rest, std::optional<ExprId> c2) -> Rewritten {
    const Parts mod = division_by_constant(g, rest, Ops::kMod);
    if (!mod) return std::nullopt;
    return with_constant(g, product, Ops::kMul, [&](ExprId quotient, ExprId c3) -> Rewritten {
      const Parts div = division_by_constant(g, quotient, Ops::kIdiv);
      if (!div || *div != *mod) return std::nullopt;
      if (!c2) return c3 == mod->second ? Rewritten(mod->first) : std::nullopt;
      if (wide_mul(value(g, mod->second), value(g, *c2)) != value(g, c3)) return std::nullopt;
      return g.multiply(mod->first, *c2);
    });
  };
  if (!scaled) return with(remainder, std::nullopt);
  return with_constant(g, remainder, Ops::kMul, [&](ExprId rest, ExprId c2) { return with(rest, c2); });
}

// x%c + (x//c)*c -> x
template <bool kScaled>
Rewritten join_divided(Simplifier& s, ExprId id) {
  for (const auto [a, b] : both_orders(s.graph(), id)) {
    if (const auto joined = join_quotient_and_remainder(s.graph(), a, b, kScaled)) return joined;
  }
  return std::nullopt;
}

// (y + (x//c)*c) + x%c -> y + x, and with the two changed round.
template <bool kScaled, bool kRemainderInside>
Rewritten join_divided_in_sum(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  for (const auto [sum, outer] : both_orders(g, id)) {
    if (g.op(sum) != Ops::kAdd) continue;
    for (const auto [y, inner] : both_orders(g, sum)) {
      const auto joined = kRemainderInside ? join_quotient_and_remainder(g, inner, outer, kScaled)
                                           : join_quotient_and_remainder(g, outer, inner, kScaled);
      if (joined) return g.add(y, *joined);
    }
  }
  return std::nullopt;
}

// x*c0 + x*c1 -> x*(c0+c1)
Rewritten add_multiples(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  for (const auto [a, b] : both_orders(g, id)) {
    const auto result = with_constant(g, a, Ops::kMul, [&](ExprId x, ExprId c0) {
      return with_constant(g, b, Ops::kMul, [&](ExprId other, ExprId c1) -> Rewritten {
        return other == x ? Rewritten(g.multiply(x, g.add(c0, c1))) : std::nullopt;
      });
    });
    if (result) return result;
  }
  return std::nullopt;
}

// (y + x*c0) + x*c1 -> y + x*(c0+c1)
Rewritten add_multiples_in_sum(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  for (const auto [sum, outer] : both_orders(g, id)) {
    if (g.op(sum) != Ops::kAdd) continue;
    for (const auto [y, inner] : both_orders(g, sum)) {
      const auto result = with_constant(g, inner, Ops::kMul, [&](ExprId x, ExprId c0) {
        return with_constant(g, outer, Ops::kMul, [&](ExprId other, ExprId c1) -> Rewritten {
          return other == x ? Rewritten(g.add(y, g.multiply(x, g.add(c0, c1)))) : std::nullopt;
        });
      });
      if (result) return result;
    }
  }
  return std::nullopt;
}

// x + x*c -> x*(c+1)
Rewritten add_to_multiple(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  for (const auto [x, b] : both_orders(g, id)) {
    const auto result = with_constant(g, b, Ops::kMul, [&](ExprId other, ExprId c) -> Rewritten {
      return other == x ? Rewritten(g.multiply(x, g.add(c, 1))) : std::nullopt;
    });
    if (result) return result;
  }
  return std::nullopt;
}

// (y + x) + x*c -> y + x*(c+1); kMultipleInside: (y + x*c) + x
template <bool kMultipleInside>
Rewritten add_to_multiple_in_sum(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  for (const auto [sum, outer] : both_orders(g, id)) {
    if (g.op(sum) != Ops::kAdd) continue;
    for (const auto [y, inner] : both_orders(g, sum)) {
      const ExprId plain = kMultipleInside ? outer : inner, multiple = kMultipleInside ? inner : outer;
      const auto result = with_constant(g, multiple, Ops::kMul, [&](ExprId x, ExprId c) -> Rewritten {
        return x == plain ? Rewritten(g.add(y, g.multiply(x, g.add(c, 1)))) : std::nullopt;
      });
      if (result) return result;
    }
  }
  return std::nullopt;
}

// x + x -> x*2
Rewritten double_term(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  return g.src(id, 0) == g.src(id, 1) ? Rewritten(g.multiply(g.src(id, 0), 2)) : std::nullopt;
}

// (y + x) + x -> y + x*2
Rewritten double_term_in_sum(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  for (const auto [sum, x] : both_orders(g, id)) {
    if (g.op(sum) != Ops::kAdd) continue;
    for (const auto [y, inner] : both_orders(g, sum)) {
      if (inner == x) return g.add(y, g.multiply(x, 2));
    }
  }
  return std::nullopt;
}

// (x op c) op y -> (x op y) op c
Rewritten move_constant_out(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const Ops op = g.op(id);
  for (const auto [inner, y] : both_orders(g, id)) {
    const auto result = with_constant(
        g, inner, op, [&, y = y](ExprId x, ExprId c) -> Rewritten { return g.alu(op, g.alu(op, x, y), c); });
    if (result) return result;
  }
  return std::nullopt;
}

// x * 1 -> x
Rewritten multiply_by_one(Simplifier& s, ExprId id) {
  for (const auto [x, c] : both_orders(s.graph(), id)) {
    if (s.graph().is_const(c, 1)) return x;
  }
  return std::nullopt;
}

// -1 * (x + c) -> -x + -c
Rewritten negate_sum(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  for (const auto [minus_one, sum] : both_orders(g, id)) {
    if (!g.is_const(minus_one, -1)) continue;
    const auto result = with_constant(g, sum, Ops::kAdd,
                                      [&](ExprId x, ExprId c) -> Rewritten { return g.add(g.negate(x), g.negate(c)); });
    if (result) return result;
  }
  return std::nullopt;
}

}  // namespace

// Operands of a commutative op on indices are put in order.
Rewritten order_operands(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  if (!is_index(g, id) || !g.comes_before(g.src(id, 1), g.src(id, 0))) return std::nullopt;
  const ExprId swapped[] = {g.src(id, 1), g.src(id, 0)};
  return g.node(g.op(id), g.scalar(id), swapped, g.arg(id));
}

// What can have one value only is a constant.
Rewritten fold_single_value(Simplifier& s, ExprId id) {
  const Bounds bounds = s.graph().bounds(id);
  return equal(bounds.least, bounds.greatest) ? Rewritten(s.graph().like(id, bounds.least)) : std::nullopt;
}

// (x op c1) op c2 -> x op (c1 op c2)
Rewritten join_constants(Simplifier& s, ExprId id) {
  ExprGraph& g = s.graph();
  const Ops op = g.op(id);
  return with_constant(g, id, op, [&](ExprId inner, ExprId c2) {
    return with_constant(g, inner, op,
                         [&](ExprId x, ExprId c1) -> Rewritten { return g.alu(op, x, g.alu(op, c1, c2)); });
  });
}

std::span<const Rule> sum_rules() {
  static constexpr Rule kRules[] = {
      add_zero,
      join_divided<false>,
      join_divided<true>,
      join_divided_in_sum<false, false>,
      join_divided_in_sum<false, true>,
      join_divided_in_sum<true, false>,
      join_divided_in_sum<true, true>,
      order_operands,
      add_multiples,
      add_multiples_in_sum,
      add_to_multiple,
      add_to_multiple_in_sum<false>,
      add_to_multiple_in_sum<true>,
      double_term,
      double_term_in_sum,
      fold_single_value,
      join_constants,
      move_constant_out,
  };
  return kRules;
}

std::span<const Rule> product_rules() {
  static constexpr Rule kRules[] = {multiply_by_one,   order_operands, negate_sum,
                                    fold_single_value, join_constants, move_constant_out};
  return kRules;
}

}  // namespace vizd::tinygrad_2025_09
