#include "rewrite/substitute.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace vizd {
namespace {

// One op on its way to its replacement: begun, waiting for its sources, or waiting for the op made of them.
struct Task {
  enum Stage { kBegin, kSources, kLink };

  OpId op;
  Stage stage;
  OpId subject;  // kSources: what stands for op, whose sources are awaited; kLink: the op made again
};

class Substitution {
 public:
  Substitution(OpGraph& graph, const Replacements& replacements) : graph_(graph), replacements_(replacements) {}

  std::variant<OpId, SubstituteError> run(OpId root) {
    stack_.push_back({root, Task::kBegin, root});
    while (!stack_.empty()) {
      if (stack_.size() >= kSubstituteStackLimit) return SubstituteError::kStackTooBig;
      const Task task = stack_.back();
      stack_.pop_back();
      if (done_.contains(task.op)) continue;
      // Whatever is begun again before it is done goes round for ever, one turn like the other, until the stack is
      // full.
      if (task.stage == Task::kBegin && !begun_.insert(task.op).second) return SubstituteError::kStackTooBig;
      if (task.stage == Task::kBegin && !begin(task.op)) return SubstituteError::kFixedPointLoop;
      if (task.stage == Task::kSources) rebuild(task);
      if (task.stage == Task::kLink) done_[task.op] = done_.at(task.subject);
    }
    return done_.at(root);
  }

 private:
  bool begin(OpId op) {
    const OpId subject = replacements_.last(op);
    if (subject == OpId{kNoId}) return false;
    stack_.push_back({op, Task::kSources, subject});
    const auto src = graph_.src(subject);
    for (auto it = src.rbegin(); it != src.rend(); ++it) stack_.push_back({*it, Task::kBegin, *it});
    return true;
  }

  void rebuild(const Task& task) {
    const Op op = graph_.op(task.subject);
    bool same = true;
    src_.clear();
    for (const OpId source : op.src) {
      src_.push_back(done_.at(source));
      same = same && src_.back() == source;
    }
    if (same) {
      done_[task.op] = task.subject;
      return;
    }
    const OpId made = graph_.add(op.kind, op.dtype, src_, op.arg, op.tag);
    stack_.push_back({task.op, Task::kLink, made});
    stack_.push_back({made, Task::kBegin, made});
  }

  OpGraph& graph_;
  const Replacements& replacements_;
  std::vector<Task> stack_;
  std::vector<OpId> src_;
  std::unordered_set<OpId> begun_;
  std::unordered_map<OpId, OpId> done_;
};

}  // namespace

std::string_view error_text(SubstituteError error) {
  return error == SubstituteError::kFixedPointLoop ? "infinite loop in fixed_point_rewrite"
                                                   : "infinite loop in graph_rewrite (stack too big)";
}

std::variant<OpId, SubstituteError> substitute(OpGraph& graph, OpId root, const Replacements& replacements) {
  return Substitution(graph, replacements).run(root);
}

}  // namespace vizd
