// Rule: what the simplifier looks for and what it makes of it. A version has them as tables, in the order in which
// tinygrad tries them. Constant once made; any thread.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/tinygrad/symbolic/pattern.h"

namespace vizd::tinygrad {

class Simplifier;

using Rewritten = std::optional<ExprId>;
using Rewrite = std::function<Rewritten(Simplifier& simplifier, const Bindings& names)>;
using Condition = std::function<bool(Simplifier& simplifier, const Bindings& names)>;

struct Rule {
  std::string_view name;  // as "x*1 -> x"
  Pattern pattern;
  Rewrite rewrite;
};

class RuleTable {
 public:
  // The parts of the list, in order.
  explicit RuleTable(std::initializer_list<std::vector<Rule>> parts);
  RuleTable(const RuleTable&) = delete;
  RuleTable& operator=(const RuleTable&) = delete;

  std::span<const Rule> all() const { return rules_; }
  // Returns the rules whose pattern has this op at its root.
  std::span<const Rule* const> of(Ops op) const;

 private:
  std::vector<Rule> rules_;
  std::array<std::vector<const Rule*>, kExprOpsCount> by_op_;
};

}  // namespace vizd::tinygrad
