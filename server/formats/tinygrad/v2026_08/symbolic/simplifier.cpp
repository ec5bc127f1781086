#include "formats/tinygrad/v2026_08/symbolic/simplifier.h"

#include "formats/tinygrad/v2026_08/symbolic/rules.h"

namespace vizd::tinygrad_2026_08 {
namespace {

constexpr int kMaxNesting = 40;
constexpr std::size_t kMaxStack = 250'000;  // tinygrad's own limit
constexpr std::size_t kMaxSteps = 1'000'000;

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

ExprId Simplifier::size(ExprId id) {
  const ExprId simple = simplify(id);
  const bool is_cast = graph_.op(simple) == Ops::kCast && graph_.is_const(graph_.src(simple, 0));
  const ExprId constant = is_cast ? graph_.src(simple, 0) : simple;
  if (!graph_.is_const(constant) || !graph_.number(constant).is_integer()) return simple;
  return graph_.constant(Scalar::kWeakint, Number::of(graph_.number(constant).integer));
}

std::optional<bool> Simplifier::truth(ExprId id) {
  const Bounds bounds = graph_.bounds(simplify(id));
  if (graph_.failed() || !equal(bounds.least, bounds.greatest)) return std::nullopt;
  return bounds.least.truthy();
}

bool Simplifier::resolve(ExprId id, bool otherwise) { return truth(id).value_or(otherwise); }

std::optional<ExprId> Simplifier::rewrite_one(ExprId id) {
  if (const auto found = rewritten_.find(id); found != rewritten_.end()) return found->second;
  std::optional<ExprId> result;
  for (const Rule* rule : rules_for(graph_.op(id))) {
    result = apply(*rule, *this, id);
    if (graph_.failed()) return std::nullopt;
    if (result && *result != id) break;
    result.reset();
  }
  rewritten_.emplace(id, result);
  return result;
}

// RewriteContext.unified_rewrite without a bottom-up matcher: sources first, then the op; what a rule makes is
// rewritten again until nothing changes. What an op becomes depends on the op alone, so that the order in which the
// reference comes by makes no difference, except that it never ends where we fail.
ExprId Simplifier::rewrite_whole(ExprId root) {
  std::unordered_map<ExprId, ExprId> replaced;
  std::vector<Pending> stack{{root, Stage::kVisit, root}};
  for (std::size_t steps = 0; !stack.empty(); ++steps) {
    if (stack.size() >= kMaxStack || steps >= kMaxSteps) graph_.fail();
    if (graph_.failed()) return root;
    const Pending pending = stack.back();
    stack.pop_back();
    if (replaced.contains(pending.id)) continue;
    if (const auto known = simplified_.find(pending.id); known != simplified_.end()) {
      replaced.emplace(pending.id, known->second);
      continue;
    }
    if (pending.stage == Stage::kVisit) {
      stack.push_back({pending.id, Stage::kRebuild, pending.now});
      const auto sources = graph_.src(pending.now);
      for (auto it = sources.rbegin(); it != sources.rend(); ++it) stack.push_back({*it, Stage::kVisit, *it});
      continue;
    }
    if (pending.stage == Stage::kLink) {
      const auto done = replaced.find(pending.now);
      if (done == replaced.end()) {
        graph_.fail();  // it becomes itself again by a detour
        return root;
      }
      const ExprId result = done->second;
      replaced.emplace(pending.id, result);
      continue;
    }
    std::vector<ExprId> sources;
    bool changed = false;
    for (const ExprId source : graph_.src(pending.now)) {
      const auto done = replaced.find(source);
      if (done == replaced.end()) {
        graph_.fail();
        return root;
      }
      sources.push_back(done->second);
      changed = changed || sources.back() != source;
    }
    ExprId next = pending.now;
    if (changed) {
      next = graph_.rebuilt(next, sources);
    } else if (const auto rewritten = rewrite_one(next)) {
      next = *rewritten;
    } else {
      replaced.emplace(pending.id, next);
      continue;
    }
    stack.push_back({pending.id, Stage::kLink, next});
    stack.push_back({next, Stage::kVisit, next});
  }
  const ExprId result = replaced.at(root);
  for (const auto& [from, to] : replaced) simplified_.emplace(from, to);
  return result;
}

ExprId substituted(ExprGraph& graph, ExprId id, ExprId from, ExprId to) {
  if (!graph.contains(id, from)) return id;
  std::unordered_map<ExprId, ExprId> replaced{{from, to}};
  for (const ExprId part : graph.parts(id)) {
    if (part == from) continue;
    std::vector<ExprId> sources;
    for (const ExprId source : graph.src(part)) sources.push_back(replaced.at(source));
    const bool same = std::ranges::equal(sources, graph.src(part));
    ExprId made = same ? part : graph.rebuilt(part, sources);
    if (made == from) made = to;
    replaced.emplace(part, made);
  }
  return replaced.at(id);
}

}  // namespace vizd::tinygrad_2026_08
