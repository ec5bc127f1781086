// Sizes: tinygrad's `sint`: the ints and symbolic expressions of shapes, strides, offsets and masks, with Python's
// operators between the two, and how they are simplified and printed. Belongs to one thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/tinygrad/symbolic/simplifier.h"
#include "formats/tinygrad/v2025_09/symbolic/language.h"
#include "model/op_graph.h"

namespace vizd::tinygrad_2025_09 {

using python::Number;
using python::Wide;
using tinygrad::ExprId;

struct Size {
  bool is_symbolic = false;
  Wide value = 0;
  ExprId expr{};

  static Size of(Wide value) { return {.value = value}; }
  static Size of(ExprId expr) { return {.is_symbolic = true, .expr = expr}; }
  bool is(Wide number) const { return !is_symbolic && value == number; }
  bool operator==(const Size&) const = default;
};

// What tinygrad raises for shows as take_failure() after a group of calls, whose results then mean nothing.
class Sizes {
 public:
  explicit Sizes(const OpGraph& graph) : graph_(graph), exprs_(graph.values(), kLanguage), simplifier_(exprs_) {}

  // An int or an op as a size; nothing for any other value.
  std::optional<Size> from_value(ValueId value);
  // x.vmax of an op of the graph; the ops that it was found from are added to `looked_at`.
  Number greatest(OpId op, std::vector<OpId>& looked_at);

  Size add(const Size& a, const Size& b);
  Size subtract(const Size& a, const Size& b);
  Size multiply(const Size& a, const Size& b);
  Size negate(const Size& a);
  Size floor_divide(const Size& a, Wide b);
  // prod(sizes), which begins with 1
  Size product(std::span<const Size> sizes);
  // x.vmax
  Wide greatest(const Size& size);

  // ssimplify: the size in its simplest form, an int where it is a constant.
  Size simplify(const Size& size);
  // resolve(a != b), resolve(a >= 0): whether it is so, and `otherwise` where that depends on a variable.
  bool differ(const Size& a, const Size& b, bool otherwise = true);
  bool is_at_least_zero(const Size& size, bool otherwise = true);
  // bool(a >= 0): raises where it depends on a variable.
  bool require_at_least_zero(const Size& size);

  // srender: str(int), or the simplified expression as tinygrad prints it; nothing where an op in it has no such form.
  std::optional<std::string> text(const Size& size);

  bool take_failure() { return exprs_.take_failure(); }

 private:
  ExprId from_op(OpId op, std::vector<OpId>* looked_at);
  ExprId convert(OpId op, std::span<const ExprId> src);
  ExprId as_expr(const Size& size, ExprId beside);
  std::optional<std::string> render(ExprId expr);

  const OpGraph& graph_;
  tinygrad::ExprGraph exprs_;
  tinygrad::Simplifier simplifier_;
  std::unordered_map<OpId, ExprId> converted_;  // ops in values, which never change
};

}  // namespace vizd::tinygrad_2025_09
