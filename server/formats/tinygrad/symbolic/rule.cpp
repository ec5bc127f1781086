#include "formats/tinygrad/symbolic/rule.h"

#include <cstddef>

namespace vizd::tinygrad {

RuleTable::RuleTable(std::initializer_list<std::vector<Rule>> parts) {
  for (const std::vector<Rule>& part : parts) rules_.insert(rules_.end(), part.begin(), part.end());
  for (const Rule& rule : rules_) {
    for (std::size_t op = 1; op < kExprOpsCount; ++op) {
      if (rule.pattern.ops.contains(static_cast<Ops>(op))) by_op_[op].push_back(&rule);
    }
  }
}

std::span<const Rule* const> RuleTable::of(Ops op) const {
  const auto number = static_cast<std::size_t>(op);
  return by_op_[number < kExprOpsCount ? number : 0];
}

}  // namespace vizd::tinygrad
