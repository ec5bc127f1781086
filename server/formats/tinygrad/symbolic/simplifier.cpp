#include "formats/tinygrad/symbolic/simplifier.h"

#include <algorithm>
#include <vector>

#include "formats/tinygrad/symbolic/rule.h"

namespace vizd::tinygrad {
namespace {

constexpr int kMaxNesting = 40;

}  // namespace

// RewriteContext.unified_rewrite without a bottom-up matcher: sources first, then the op; what a rule makes is
// rewritten again until nothing changes. A language that fails where the reference would go round takes what another
// rewriting made of an op: what an op becomes then depends on the op alone, so that the order in which the reference
// comes by makes no difference, except that it never ends where we fail.
class Rewriting {
 public:
  Rewriting(Simplifier& simplifier, ExprId root)
      : s_(simplifier), g_(simplifier.graph()), language_(g_.language()), root_(root) {}

  ExprId run() {
    stack_.push_back({root_, Stage::kVisit, root_});
    for (std::size_t steps = 0; const auto pending = next(); ++steps) {
      if (stack_size() + 1 >= language_.max_stack || steps >= language_.max_steps) g_.fail();
      if (!g_.failed() && !replaced_.contains(pending->id)) take(*pending);
      if (g_.failed()) return root_;
    }
    const ExprId result = replaced_.at(root_);
    if (!waits()) s_.simplified_.insert(replaced_.begin(), replaced_.end());
    return result;
  }

 private:
  enum class Stage { kVisit, kRebuild, kLink };

  struct Pending {
    ExprId id;
    Stage stage;
    ExprId now;  // what id has become so far
  };

  bool waits() const { return language_.traversal == Traversal::kWaits; }
  std::size_t stack_size() const { return stack_.size() + waiting_.size() - first_waiting_; }

  // Ops that wait come after everything else, first come first served.
  std::optional<Pending> next() {
    if (stack_.empty() && first_waiting_ == waiting_.size()) return std::nullopt;
    if (stack_.empty()) return waiting_[first_waiting_++];
    const Pending last = stack_.back();
    stack_.pop_back();
    return last;
  }

  void wait(const Pending& pending) {
    if (!waits()) return g_.fail();  // it becomes itself again by a detour
    waiting_.push_back(pending);
  }

  void take(const Pending& pending) {
    const auto known = waits() ? s_.simplified_.end() : s_.simplified_.find(pending.id);
    if (known != s_.simplified_.end()) {
      replaced_.emplace(pending.id, known->second);
      return;
    }
    switch (pending.stage) {
      case Stage::kVisit:
        return visit(pending);
      case Stage::kRebuild:
        return rebuild(pending);
      case Stage::kLink:
        return link(pending);
    }
  }

  void visit(const Pending& pending) {
    stack_.push_back({pending.id, Stage::kRebuild, pending.now});
    const auto sources = g_.src(pending.now);
    for (auto it = sources.rbegin(); it != sources.rend(); ++it) stack_.push_back({*it, Stage::kVisit, *it});
  }

  void rebuild(const Pending& pending) {
    sources_.clear();
    bool changed = false;
    for (const ExprId source : g_.src(pending.now)) {
      const auto done = replaced_.find(source);
      if (done == replaced_.end()) return wait(pending);
      sources_.push_back(done->second);
      changed = changed || sources_.back() != source;
    }
    ExprId next = pending.now;
    if (changed) {
      next = g_.rebuilt(next, sources_);
    } else if (const auto rewritten = s_.rewrite_one(next)) {
      next = *rewritten;
    } else {
      replaced_.emplace(pending.id, next);
      return;
    }
    stack_.push_back({pending.id, Stage::kLink, next});
    stack_.push_back({next, Stage::kVisit, next});
  }

  void link(const Pending& pending) {
    const auto done = replaced_.find(pending.now);
    if (done == replaced_.end()) return wait(pending);
    const ExprId result = done->second;
    replaced_.emplace(pending.id, result);
  }

  Simplifier& s_;
  ExprGraph& g_;
  const Language& language_;
  const ExprId root_;
  std::unordered_map<ExprId, ExprId> replaced_;
  std::vector<Pending> stack_, waiting_;
  std::size_t first_waiting_ = 0;
  std::vector<ExprId> sources_;
};

ExprId Simplifier::simplify(ExprId id) {
  if (const auto found = simplified_.find(id); found != simplified_.end()) return found->second;
  if (graph_.failed()) return id;
  if (depth_ == kMaxNesting) {
    graph_.fail();
    return id;
  }
  ++depth_;
  const ExprId result = Rewriting(*this, id).run();
  --depth_;
  if (!graph_.failed()) simplified_.emplace(id, result);
  return result;
}

ExprId Simplifier::size(ExprId id) {
  const ExprId simple = simplify(id);
  const bool is_cast = graph_.op(simple) == Ops::kCast && graph_.is_const(graph_.src(simple, 0));
  const ExprId constant = is_cast ? graph_.src(simple, 0) : simple;
  if (!graph_.is_const(constant) || !graph_.number(constant).is_integer()) return simple;
  return graph_.constant(graph_.language().index, Number::of(graph_.number(constant).integer));
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
  for (const Rule* rule : graph_.language().rules().of(graph_.op(id))) {
    result = apply(*rule, *this, id);
    if (graph_.failed()) return std::nullopt;
    if (result && *result != id) break;
    result.reset();
  }
  rewritten_.emplace(id, result);
  return result;
}

std::optional<ExprId> apply(const Rule& rule, Simplifier& simplifier, ExprId id) {
  std::optional<ExprId> result;
  Bindings names;
  match(simplifier.graph(), rule.pattern, id, names, [&] {
    result = rule.rewrite(simplifier, names);
    return result.has_value() || simplifier.graph().failed();
  });
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

}  // namespace vizd::tinygrad
