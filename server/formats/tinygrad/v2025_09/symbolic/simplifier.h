// Simplifier: tinygrad's UOp.simplify() for sizes and indices: the rules of its `symbolic` matcher (uop/symbolic.py),
// tried in its order, under its rewriting (ops.py RewriteContext), so that what comes out is the same expression.
// Sizes are made of whole numbers and variables with + * // % and max, and are compared with < and !=. The rules for
// anything else (floats, vectors, bits, choices, casts, sums of booleans, Invalid) have nothing to apply to and are
// left out, as are those whose work another rule does with the same result. Remembers every answer. Belongs to one
// thread, with its graph.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/tinygrad/v2025_09/symbolic/expr_graph.h"

namespace vizd::tinygrad_2025_09 {

class Simplifier {
 public:
  explicit Simplifier(ExprGraph& graph) : graph_(graph) {}

  // The expression as no rule changes it any more. Sets the graph's failed() where tinygrad raises, or would not end.
  ExprId simplify(ExprId id);
  ExprGraph& graph() { return graph_; }

 private:
  ExprId rewrite_whole(ExprId root);
  std::optional<ExprId> rewrite_one(ExprId id);

  ExprGraph& graph_;
  std::unordered_map<ExprId, ExprId> simplified_;
  std::unordered_map<ExprId, std::optional<ExprId>> rewritten_;
  int depth_ = 0;  // of simplify() in rules in simplify()
};

}  // namespace vizd::tinygrad_2025_09
