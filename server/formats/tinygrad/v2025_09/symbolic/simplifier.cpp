#include "formats/tinygrad/v2025_09/symbolic/simplifier.h"

#include <deque>

#include "formats/tinygrad/v2025_09/symbolic/simplify_rules.h"

namespace vizd::tinygrad_2025_09 {
namespace {

constexpr int kMaxNesting = 40;
constexpr std::size_t kMaxStack = 200000;  // tinygrad's own limit
constexpr std::size_t kMaxSteps = 2000000;

enum class Stage { kVisit, kRebuild, kLink };

struct Pending {
  ExprId id;
  Stage stage;
  ExprId now;  // what id has become so far
};

}  // namespace

ExprId Simplifier::simplify(ExprId id) {
  if (const auto found = simplified_.find(id); found != simplified_.end()) return found->second;
  if (graph_.failed()) return id;
  if (depth_ == kMaxNesting) {
    graph_.fail();
    return id;
  }
  ++depth_;
  const ExprId result = rewrite_whole(id);
  --depth_;
  if (!graph_.failed()) simplified_.emplace(id, result);
  return result;
}

std::optional<ExprId> Simplifier::rewrite_one(ExprId id) {
  if (const auto found = rewritten_.find(id); found != rewritten_.end()) return found->second;
  std::optional<ExprId> result;
  for (const Rule rule : rules_for(graph_.op(id))) {
    result = rule(*this, id);
    if (graph_.failed()) return std::nullopt;
    if (result && *result != id) break;
    result.reset();
  }
  rewritten_.emplace(id, result);
  return result;
}

// RewriteContext.unified_rewrite without a bottom-up matcher: sources first, then the op; what a rule makes is
// rewritten again until nothing changes. What is not ready is tried again after everything else.
ExprId Simplifier::rewrite_whole(ExprId root) {
  std::unordered_map<ExprId, ExprId> replaced;
  std::deque<Pending> stack{{root, Stage::kVisit, root}};
  for (std::size_t steps = 0; !stack.empty(); ++steps) {
    if (stack.size() >= kMaxStack || steps >= kMaxSteps) graph_.fail();
    if (graph_.failed()) return root;
    const Pending pending = stack.back();
    stack.pop_back();
    if (replaced.contains(pending.id)) continue;
    if (pending.stage == Stage::kVisit) {
      stack.push_back({pending.id, Stage::kRebuild, pending.now});
      const auto sources = graph_.src(pending.now);
      for (auto it = sources.rbegin(); it != sources.rend(); ++it) stack.push_back({*it, Stage::kVisit, *it});
      continue;
    }
    if (pending.stage == Stage::kLink) {
      if (const auto done = replaced.find(pending.now); done != replaced.end()) {
        replaced.emplace(pending.id, done->second);
      } else {
        stack.push_front(pending);
      }
      continue;
    }
    std::vector<ExprId> sources;
    bool ready = true, changed = false;
    for (const ExprId source : graph_.src(pending.now)) {
      const auto done = replaced.find(source);
      ready = ready && done != replaced.end();
      sources.push_back(ready ? done->second : source);
      changed = changed || sources.back() != source;
    }
    if (!ready) {
      stack.push_front(pending);
      continue;
    }
    ExprId next = pending.now;
    if (changed) {
      next = graph_.node(graph_.op(next), graph_.scalar(next), sources, graph_.arg(next));
    } else if (const auto rewritten = rewrite_one(next)) {
      next = *rewritten;
    } else {
      replaced.emplace(pending.id, next);
      continue;
    }
    stack.push_back({pending.id, Stage::kLink, next});
    stack.push_back({next, Stage::kVisit, next});
  }
  return replaced.at(root);
}

std::span<const Rule> rules_for(Ops op) {
  switch (op) {
    case Ops::kAdd:
      return sum_rules();
    case Ops::kMul:
      return product_rules();
    case Ops::kIdiv:
      return quotient_rules();
    case Ops::kMod:
      return remainder_rules();
    default:
      return comparison_rules(op);
  }
}

BothOrders both_orders(const ExprGraph& graph, ExprId id) {
  const ExprId a = graph.src(id, 0), b = graph.src(id, 1);
  return {{{a, b}, {b, a}}};
}

}  // namespace vizd::tinygrad_2025_09
