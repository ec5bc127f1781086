#include "rewrite/forward_replay.h"

#include <utility>

namespace vizd {
namespace {}  // namespace

bool ForwardReplay::apply(OpId before) {
  reset();
  before_ = before;
  if (std::exchange(root_is_new_, false)) {
    before_ = OpId{0};
    await(graph_.root());
  } else if (const OpId live = graph_.find(before); live == OpId{kNoId} || !replacements_.contains(before)) {
    return true;
  } else if (!replace(live, before)) {
    return false;
  }
  while (!pending_.empty()) {
    const Pending next = pending_.top();
    pending_.pop();
    if (const std::uint64_t rank = graph_.rank(next.op); rank != next.rank) {
      pending_.push({rank, next.op});  // it has risen since
      continue;
    }
    is_pending_[graph_.slot_index(next.op)] = false;
    if (!settle(next.op)) return false;
  }
  return true;
}

// All sources of the op are what they will be in this state.
bool ForwardReplay::settle(OpId op) {
  Op content = graph_.ops().op(op);
  const bool is_retyped = std::erase(retyped_, op) != 0;
  const ValueId dtype = is_retyped ? dialect_.rebuilt_dtype(graph_.ops(), content) : content.dtype;
  const bool differs = dtype != content.dtype;
  content.dtype = dtype;
  const OpId capture_op = graph_.equal_capture_op(content);
  if (capture_op != OpId{kNoId} && replacements_.contains(capture_op)) return replace(op, capture_op);
  if (differs) {
    const std::vector<OpId> src(content.src.begin(), content.src.end());
    put(op, intern({content.kind, content.dtype, content.arg, content.tag, src}, capture_op));
    return true;
  }
  if (!graph_.is_indexed(op)) {
    if (const OpId twin = graph_.find_equal(content); twin != OpId{kNoId}) {
      await_users(op);
      graph_.replace(op, twin);
      return true;
    }
    graph_.index_op(op);
  }
  if (graph_.set_capture_op(op, capture_op)) await_users(op);
  return true;
}

bool ForwardReplay::replace(OpId live, OpId capture_op) {
  const OpId by = evaluate(capture_op);
  if (by == OpId{kNoId}) return false;
  put(live, by);
  return true;
}

// Makes what reads one live op read another.
void ForwardReplay::put(OpId live, OpId by) {
  await_users(live);
  if (graph_.ops().op(live).dtype != graph_.ops().op(by).dtype) {
    graph_.for_each_user(live, [&](OpId user) { retyped_.push_back(user); });
  }
  graph_.replace(live, by);
}

// The dtype that an op of the capture has with these live sources.
ValueId ForwardReplay::dtype_of(const Op& subject, std::span<const OpId> src) const {
  for (std::size_t i = 0; i < src.size(); ++i) {
    if (graph_.ops().op(src[i]).dtype == graph_.ops().op(subject.src[i]).dtype) continue;
    return dialect_.rebuilt_dtype(graph_.ops(), {subject.kind, subject.dtype, subject.arg, subject.tag, src});
  }
  return subject.dtype;
}

// Makes in the graph the op that an op of the capture becomes; none where that is a loop. It follows the reference's
// order: to the end of the replacements, then the sources, then, where these changed, the op made of them, which may be
// replaced again.
OpId ForwardReplay::evaluate(OpId capture_op) {
  if (find_outcome(capture_op) == HashIndex::kNone && !enter(capture_op)) return OpId{kNoId};
  while (!stack_.empty()) {
    Frame& frame = stack_.back();
    if (frame.rebuilt != OpId{kNoId}) {
      finish(outcomes_[find_outcome(frame.rebuilt)].live);
    } else if (const std::size_t depth = stack_.size(); !enter_sources(frame)) {
      return OpId{kNoId};
    } else if (stack_.size() == depth && !rebuild(stack_.back())) {
      return OpId{kNoId};
    }
  }
  return outcomes_[find_outcome(capture_op)].live;
}

bool ForwardReplay::enter(OpId capture_op) {
  const OpId subject = replacements_.last(capture_op);
  if (subject == OpId{kNoId}) return false;
  visited_ += 1 + graph_.ops().src(subject).size();
  const OpId live = untouched(subject);
  outcome_index_.add(hash_of_id(capture_op), static_cast<std::uint32_t>(outcomes_.size()));
  outcomes_.push_back({capture_op, live});
  if (live == OpId{kNoId}) stack_.push_back({outcomes_.size() - 1, subject});
  return true;
}

// Enters the frame's next source that has no outcome yet, if any. False at a source whose outcome is being worked out.
bool ForwardReplay::enter_sources(Frame& frame) {
  const std::span<const OpId> src = graph_.ops().src(frame.subject);
  for (; frame.port < src.size(); ++frame.port) {
    const OpId source = src[frame.port];
    if (untouched(source) != OpId{kNoId}) continue;
    const std::uint32_t found = find_outcome(source);
    if (found != HashIndex::kNone && outcomes_[found].live == OpId{kNoId}) return false;
    if (found != HashIndex::kNone) continue;
    const std::size_t depth = stack_.size();
    if (!enter(source)) return false;
    if (stack_.size() != depth) return true;
  }
  return true;
}

bool ForwardReplay::rebuild(Frame& frame) {
  const Op subject = graph_.ops().op(frame.subject);
  bool same = true;
  src_.clear();
  for (const OpId source : subject.src) {
    OpId live = untouched(source);
    if (live == OpId{kNoId}) live = outcomes_[find_outcome(source)].live;
    src_.push_back(live);
    same = same && graph_.capture_op(live) == source;
  }
  const Op made{subject.kind, dtype_of(subject, src_), subject.arg, subject.tag, src_};
  const OpId capture_op = same ? frame.subject : graph_.equal_capture_op(made);
  if (same || capture_op == OpId{kNoId} || !replacements_.contains(capture_op)) {
    finish(intern(made, capture_op));
    return true;
  }
  frame.rebuilt = capture_op;
  const std::uint32_t found = find_outcome(capture_op);
  if (found == HashIndex::kNone) return enter(capture_op);
  return outcomes_[found].live != OpId{kNoId};
}

void ForwardReplay::finish(OpId live) {
  outcomes_[stack_.back().outcome].live = live;
  stack_.pop_back();
}

OpId ForwardReplay::intern(const Op& op, OpId capture_op) {
  const OpId id = graph_.intern(op);
  if (graph_.set_capture_op(id, capture_op)) await_users(id);
  return id;
}

// The live op that equals the capture's op, if it is certain to stay as it is: ops have larger ids than what they are
// made of, so that an op with a smaller id than the replaced one does not hold it; and what is live is not replaced.
OpId ForwardReplay::untouched(OpId capture_op) const {
  return capture_op < before_ ? graph_.find(capture_op) : OpId{kNoId};
}

std::uint32_t ForwardReplay::find_outcome(OpId capture_op) const {
  return outcome_index_.find(hash_of_id(capture_op), [&](std::uint32_t i) { return outcomes_[i].op == capture_op; });
}

void ForwardReplay::await(OpId op) {
  is_pending_.resize(graph_.slot_count());
  if (is_pending_[graph_.slot_index(op)]) return;
  is_pending_[graph_.slot_index(op)] = true;
  pending_.push({graph_.rank(op), op});
}

void ForwardReplay::await_users(OpId op) {
  graph_.for_each_user(op, [&](OpId user) { await(user); });
}

void ForwardReplay::reset() {
  for (; !pending_.empty(); pending_.pop()) is_pending_[graph_.slot_index(pending_.top().op)] = false;
  visited_ = 0;
  retyped_.clear();
  stack_.clear();
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    outcome_index_.erase(hash_of_id(outcomes_[i].op), static_cast<std::uint32_t>(i));
  }
  outcomes_.clear();
}

}  // namespace vizd
