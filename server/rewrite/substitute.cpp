#include "rewrite/substitute.h"

#include <algorithm>

namespace vizd {

std::variant<OpId, SubstituteError> Substitution::run(OpId root) {
  for (const auto& [op, result] : results_) done_[index(op)] = OpId{kNoId};
  for (const OpId op : begun_list_) begun_[index(op)] = false;
  results_.clear();
  begun_list_.clear();
  stack_.clear();
  highest_ = 0;
  return options_.walks_once ? walk(root) : rewrite(root);
}

std::variant<OpId, SubstituteError> Substitution::rewrite(OpId root) {
  stack_.push_back({root, Task::kBegin, root});
  while (!stack_.empty()) {
    highest_ = std::max(highest_, stack_.size());
    if (stack_.size() >= kSubstituteStackLimit) return SubstituteError::kStackTooBig;
    const Task task = stack_.back();
    stack_.pop_back();
    if (done(task.op) != OpId{kNoId}) continue;
    if (task.stage == Task::kBegin) {
      // An op that is begun again before it is done would go round for ever, each turn like the one before.
      if (index(task.op) >= begun_.size()) begun_.resize(std::max(graph_.size(), index(task.op) + 1));
      if (begun_[index(task.op)]) return SubstituteError::kStackTooBig;
      begun_[index(task.op)] = true;
      begun_list_.push_back(task.op);
      if (!begin(task.op)) return SubstituteError::kFixedPointLoop;
    } else if (task.stage == Task::kSources) {
      if (!rebuild(task)) return SubstituteError::kStackTooBig;
    } else {
      if (done(task.subject) == OpId{kNoId}) return SubstituteError::kStackTooBig;
      set_done(task.op, done(task.subject));
    }
  }
  return done(root);
}

bool Substitution::begin(OpId op) {
  const OpId subject = replacements_.last(op);
  if (subject == OpId{kNoId}) return false;
  stack_.push_back({op, Task::kSources, subject});
  keep_body(subject);
  const auto src = graph_.src(subject);
  for (auto it = src.rbegin(); it != src.rend(); ++it) stack_.push_back({*it, Task::kBegin, *it});
  return true;
}

// Where a rewrite leaves the op's first source as it is, that source stays so from here on, wherever it is read.
void Substitution::keep_body(OpId op) {
  if (options_.enters_calls || graph_.src(op).empty()) return;
  if (dialect_.keeps_first_source(graph_, graph_.op(op))) set_done(graph_.src(op)[0], graph_.src(op)[0]);
}

bool Substitution::rebuild(const Task& task) {
  src_.clear();
  bool same = true;
  for (const OpId source : graph_.src(task.subject)) {
    if (done(source) == OpId{kNoId}) return false;
    src_.push_back(done(source));
    same = same && src_.back() == source;
  }
  if (same) {
    set_done(task.op, task.subject);
    return true;
  }
  const OpId made = made_again(task.subject);
  stack_.push_back({task.op, Task::kLink, made});
  stack_.push_back({made, Task::kBegin, made});
  return true;
}

// The op with src_ as its sources.
OpId Substitution::made_again(OpId op) {
  Op content = graph_.op(op);
  bool same_dtypes = true;
  for (std::size_t i = 0; i < src_.size(); ++i) {
    same_dtypes = same_dtypes && graph_.op(src_[i]).dtype == graph_.op(content.src[i]).dtype;
  }
  content.src = src_;
  const ValueId dtype = same_dtypes ? content.dtype : dialect_.rebuilt_dtype(graph_, content);
  return graph_.add(content.kind, dtype, src_, content.arg, content.tag);
}

// Each op once: what replaces it stays as it is, and so does what it becomes with other sources.
std::variant<OpId, SubstituteError> Substitution::walk(OpId root) {
  stack_.push_back({root, Task::kBegin, root});
  while (!stack_.empty()) {
    const Task task = stack_.back();
    stack_.pop_back();
    if (done(task.op) != OpId{kNoId}) continue;
    if (task.stage == Task::kBegin) {
      if (const OpId by = replacements_.get(task.op); by != OpId{kNoId}) {
        set_done(task.op, by);
        continue;
      }
      stack_.push_back({task.op, Task::kSources, task.op});
      keep_body(task.op);
      const auto src = graph_.src(task.op);
      for (auto it = src.rbegin(); it != src.rend(); ++it) {
        if (done(*it) == OpId{kNoId}) stack_.push_back({*it, Task::kBegin, *it});
      }
      continue;
    }
    src_.clear();
    bool same = true;
    for (const OpId source : graph_.src(task.op)) {
      src_.push_back(done(source) == OpId{kNoId} ? source : done(source));
      same = same && src_.back() == source;
    }
    set_done(task.op, same ? task.op : made_again(task.op));
  }
  return done(root);
}

OpId Substitution::done(OpId op) const { return index(op) < done_.size() ? done_[index(op)] : OpId{kNoId}; }

void Substitution::set_done(OpId op, OpId result) {
  if (index(op) >= done_.size()) done_.resize(std::max(graph_.size(), index(op) + 1), OpId{kNoId});
  if (done_[index(op)] == OpId{kNoId}) {
    results_.emplace_back(op, result);
  } else {
    // A body that came by as something else before: what stands for it now is itself.
    const auto found = std::find_if(results_.rbegin(), results_.rend(), [&](const auto& r) { return r.first == op; });
    found->second = result;
  }
  done_[index(op)] = result;
}

std::string_view error_text(SubstituteError error) {
  return error == SubstituteError::kFixedPointLoop ? "infinite loop in fixed_point_rewrite"
                                                   : "infinite loop in graph_rewrite (stack too big)";
}

}  // namespace vizd
