// ExprText: expressions as tinygrad prints them in labels (UOp.render() with render.py's renderer). Remembers
// texts. Belongs to one thread.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "formats/tinygrad/symbolic/simplifier.h"
#include "formats/tinygrad/v2026_08/release.h"
#include "formats/tinygrad/v2026_08/value_text.h"

namespace vizd::tinygrad_2026_08 {

// '_'.join of a RANGE's numbers (range_str); nothing where it raises.
std::optional<std::string> range_name(const ValueTable& values, ValueId arg);
// helpers.strip_parens
std::string_view without_parentheses(std::string_view text);

// A binary op of two texts, without the parentheses that Python does not need (render.py strip_binary_parens).
std::string strip_binary_parentheses(Ops op, Ops left_op, Ops right_op, std::string_view left, std::string_view right,
                                     std::string_view symbol);

class ExprText {
 public:
  ExprText(Simplifier& simplifier, const ValueText& values, Release release = Release::k14)
      : s_(simplifier), g_(simplifier.graph()), value_text_(values), release_(release) {}

  // x.render(): of the expression in its simplest form. May fail the graph.
  std::string rendered(ExprId id) { return plain(s_.simplify(id)); }
  // x.render(simplify=False); stands until the next call. Fails the graph, and is empty, where the text has more than
  // a mebibyte: tinygrad's own viewer does not come back from these.
  const std::string& plain(ExprId id);
  // serve.py shape_to_str: "(2,3,(4*n))"
  std::string shape(ShapeId shape);

 private:
  std::string find(ExprId id);
  std::string_view symbol(Ops op) const;
  std::string movement_argument(ExprId id);
  std::string dtype_text(ExprId id);
  std::string numbers_text(ExprId id) const;
  std::string_view name_of(ExprId id) const;
  std::string printed(ExprId id);

  Simplifier& s_;
  ExprGraph& g_;
  const ValueText& value_text_;
  Release release_;
  std::unordered_map<ExprId, std::string> texts_;
  std::size_t kept_bytes_ = 0;
  std::unordered_set<ExprId> too_long_;
  const std::string nothing_;
  unsigned nested_ = 0;  // a movement's argument has texts of its own
};

}  // namespace vizd::tinygrad_2026_08
