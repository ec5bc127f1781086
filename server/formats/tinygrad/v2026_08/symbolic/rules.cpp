#include "formats/tinygrad/v2026_08/symbolic/rules.h"

#include <array>
#include <utility>

namespace vizd::tinygrad_2026_08 {
namespace {

std::vector<Rule> all_rules() {
  std::vector<Rule> all;
  for (auto part : {invalid_rules, folding_rules, movement_rules, combining_rules, comparison_rules, division_rules}) {
    for (Rule& rule : part()) all.push_back(std::move(rule));
  }
  return all;
}

const std::vector<Rule>& rule_list() {
  static const std::vector<Rule> kRules = all_rules();
  return kRules;
}

using RulesByOp = std::array<std::vector<const Rule*>, kOpsCount>;

RulesByOp group_by_op() {
  RulesByOp by_op;
  for (const Rule& rule : rule_list()) {
    for (std::size_t op = 1; op < kOpsCount; ++op) {
      if (rule.pattern.ops.contains(static_cast<Ops>(op))) by_op[op].push_back(&rule);
    }
  }
  return by_op;
}

}  // namespace

std::span<const Rule> rules() { return rule_list(); }

std::span<const Rule* const> rules_for(Ops op) {
  static const RulesByOp kByOp = group_by_op();
  return kByOp[static_cast<std::size_t>(op) < kOpsCount ? static_cast<std::size_t>(op) : 0];
}

Rewritten apply(const Rule& rule, Simplifier& simplifier, ExprId id) {
  Rewritten result;
  Bindings names;
  match(simplifier.graph(), rule.pattern, id, names, [&] {
    result = rule.rewrite(simplifier, names);
    return result.has_value() || simplifier.graph().failed();
  });
  return result;
}

}  // namespace vizd::tinygrad_2026_08
