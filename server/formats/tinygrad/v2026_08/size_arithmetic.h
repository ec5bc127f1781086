// SizeArithmetic: Python's arithmetic on the sizes of shapes, as tinygrad's rules for shapes use it: numbers with
// numbers, else expressions. Belongs to one thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "formats/tinygrad/symbolic/expr_graph.h"
#include "formats/tinygrad/symbolic/simplifier.h"

namespace vizd::tinygrad_2026_08 {

using tinygrad::ExprGraph;
using tinygrad::ExprId;
using tinygrad::Number;
using tinygrad::ShapeId;
using tinygrad::Simplifier;
using tinygrad::Wide;

class SizeArithmetic {
 public:
  using Sizes = std::vector<ExprId>;

  explicit SizeArithmetic(Simplifier& simplifier) : s_(simplifier), g_(simplifier.graph()) {}

  ExprId size(Wide value) { return g_.constant(g_.language().index, Number::of(value)); }
  bool is_number(ExprId id) const { return g_.is_const(id); }
  Wide number(ExprId id) const { return g_.number(id).integer; }

  ExprId plus(ExprId a, ExprId b) {
    return is_number(a) && is_number(b) ? size(python::wide_add(number(a), number(b))) : g_.add(a, b);
  }
  ExprId minus(ExprId a, ExprId b) {
    return is_number(a) && is_number(b) ? size(python::wide_add(number(a), -number(b))) : g_.subtract(a, b);
  }
  ExprId times(ExprId a, ExprId b) {
    return is_number(a) && is_number(b) ? size(python::wide_mul(number(a), number(b))) : g_.multiply(a, b);
  }
  ExprId product(std::span<const ExprId> sizes) {
    ExprId all = size(1);
    for (const ExprId each : sizes) all = times(all, each);
    return all;
  }

  // Nothing where tinygrad cannot tell.
  std::optional<bool> not_below(ExprId a, Wide bound) {
    if (is_number(a)) return number(a) >= bound;
    return s_.truth(g_.logical_not(g_.less_than(a, bound)));
  }
  std::optional<bool> at_most(ExprId a, ExprId b) {
    if (is_number(a) && is_number(b)) return number(a) <= number(b);
    return s_.truth(g_.logical_not(g_.less_than(b, a)));
  }
  std::optional<bool> differ(ExprId a, ExprId b) {
    if (is_number(a) && is_number(b)) return number(a) != number(b);
    return s_.truth(is_number(a) ? g_.not_equal(b, a) : g_.not_equal(a, b));
  }

 private:
  Simplifier& s_;
  ExprGraph& g_;
};

}  // namespace vizd::tinygrad_2026_08
