// Simplifier: tinygrad's UOp.simplify(): the rules of a version's `symbolic` matcher (Language::rules), tried in its
// order, under its rewriting (ops.py RewriteContext), so that what comes out is the same expression. Remembers every
// answer. Belongs to one thread, with its graph.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/tinygrad/symbolic/expr_graph.h"
#include "formats/tinygrad/symbolic/shape_table.h"

namespace vizd::tinygrad {

struct Rule;

class Simplifier {
 public:
  explicit Simplifier(ExprGraph& graph) : graph_(graph) {}

  // The expression as no rule changes it any more. Sets the graph's failed() where tinygrad raises, or would not end.
  ExprId simplify(ExprId id);
  // x.ssimplify() as a size: a number is a constant of the dtype of indices, whatever it was a constant of.
  ExprId size(ExprId id);
  // bool(x): nothing where tinygrad raises, since it may be either.
  std::optional<bool> truth(ExprId id);
  // resolve(x, default)
  bool resolve(ExprId id, bool otherwise = true);
  // id.const_like(value): a constant of its dtype, in its shape.
  ExprId like(ExprId id, const Number& value);
  ExprId like(ExprId id, Wide value) { return like(id, Number::of(value)); }
  // id._shape, by the version's rules; of numbers ().
  ShapeId shape(ExprId id);
  // UOp.as_shape: of a STACK its items, else itself as the only size.
  ShapeId as_shape(ExprId id);
  ExprGraph& graph() { return graph_; }
  ShapeTable& shapes() { return shapes_; }

 private:
  friend class Rewriting;

  std::optional<ExprId> rewrite_one(ExprId id);

  ExprGraph& graph_;
  ShapeTable shapes_;
  std::unordered_map<ExprId, ShapeId> shape_of_;
  std::unordered_map<ExprId, ExprId> simplified_;
  std::unordered_map<ExprId, std::optional<ExprId>> rewritten_;
  int depth_ = 0;  // of simplify() in rules in simplify()
};

// What the rule makes of the expression; nothing where it does not apply.
std::optional<ExprId> apply(const Rule& rule, Simplifier& simplifier, ExprId id);

// x.substitute({from: to}): wherever it stands in the expression.
ExprId substituted(ExprGraph& graph, ExprId id, ExprId from, ExprId to);

}  // namespace vizd::tinygrad
