#include "rewrite/whole_replay.h"

#include <algorithm>
#include <unordered_map>

namespace vizd {
namespace {

// Whether any op that the pass replaces stands in the body of a call, which would keep it. Where none does, a body is
// what it would be if it were entered. Calls that come to be in a pass that goes on from its last state may have bodies
// that hold what is replaced later; those of a restart are made of what is replaced already.
bool replaces_in_bodies(const Capture& capture, const Pass& pass) {
  const OpGraph& ops = capture.ops;
  std::vector<bool> met(ops.size()), is_in_body(ops.size());
  std::vector<OpId> stack{pass.sink}, bodies;
  for (const Match& match : capture.rewrites.matches_of(pass)) stack.push_back(match.after);
  while (!stack.empty()) {
    const OpId id = stack.back();
    stack.pop_back();
    if (met[index(id)]) continue;
    met[index(id)] = true;
    const Op op = ops.op(id);
    if (capture.dialect->keeps_first_source(ops, op) && !op.src.empty()) bodies.push_back(op.src[0]);
    stack.insert(stack.end(), op.src.begin(), op.src.end());
  }
  while (!bodies.empty()) {
    const OpId id = bodies.back();
    bodies.pop_back();
    if (is_in_body[index(id)]) continue;
    is_in_body[index(id)] = true;
    const auto src = ops.src(id);
    bodies.insert(bodies.end(), src.begin(), src.end());
  }
  return std::ranges::any_of(capture.rewrites.matches_of(pass),
                             [&](const Match& match) { return is_in_body[index(match.before)]; });
}

}  // namespace

bool WholeReplay::suits(const Capture& capture, const Pass& pass) {
  if (pass.walks_once) return true;
  if (!pass.meets_calls || pass.enters_calls) return false;
  return !pass.restarts_from_sink || replaces_in_bodies(capture, pass);
}

WholeReplay::WholeReplay(const Capture& capture, const Pass& pass, LiveGraph& graph, const Replacements& replacements)
    : capture_(capture),
      pass_(pass),
      graph_(graph),
      replacements_(replacements),
      ops_(&capture.ops),
      substitution_(ops_, replacements, *capture.dialect,
                    {.walks_once = pass.walks_once, .enters_calls = pass.enters_calls}),
      root_(pass.sink) {}

std::optional<SubstituteError> WholeReplay::apply() {
  if (op_of_.empty()) {  // the sink's ops, which the graph holds already
    for (const OpId op : toposort(ops_, pass_.sink)) {
      const OpId live = graph_.find(op);
      live_of_.resize(std::max(live_of_.size(), index(op) + 1), OpId{kNoId});
      op_of_.resize(std::max(op_of_.size(), graph_.slot_index(live) + 1), OpId{kNoId});
      live_of_[index(op)] = live;
      op_of_[graph_.slot_index(live)] = op;
    }
  }
  const OpId from = pass_.restarts_from_sink ? pass_.sink : root_;
  if (!replacements_.empty()) {
    const auto outcome = substitution_.run(from);
    if (const auto* error = std::get_if<SubstituteError>(&outcome)) return *error;
    root_ = std::get<OpId>(outcome);
  } else {
    root_ = from;
  }
  std::vector<std::pair<OpId, OpId>> old;  // live ops and what became of them, as ops
  if (pass_.restarts_from_sink && !before_.empty()) {
    std::unordered_map<OpId, OpId> now(substitution_.results().begin(), substitution_.results().end());
    for (const auto& [op, was] : before_) {
      if (const auto found = now.find(op); found != now.end()) old.emplace_back(live_of(was), found->second);
    }
  } else {
    for (const auto& [op, result] : substitution_.results()) old.emplace_back(live_of(op), result);
  }
  graph_.set_root(enter(root_));
  std::vector<std::pair<OpId, OpId>> replaced;
  for (const auto& [was, op] : old) {
    const OpId now = live_of(op);
    if (was != OpId{kNoId} && now != OpId{kNoId} && was != now) replaced.emplace_back(was, now);
  }
  graph_.set_replaced(std::move(replaced));
  if (pass_.restarts_from_sink) before_ = substitution_.results();
  return std::nullopt;
}

// The live op that stands for the op, if it still does.
OpId WholeReplay::live_of(OpId op) const {
  if (index(op) >= live_of_.size() || live_of_[index(op)] == OpId{kNoId}) return OpId{kNoId};
  const OpId live = live_of_[index(op)];
  return op_of_[graph_.slot_index(live)] == op && graph_.is_linked(live) ? live : OpId{kNoId};
}

// Makes the graph under root live; what is there stays.
OpId WholeReplay::enter(OpId root) {
  std::vector<std::pair<OpId, std::size_t>> stack{{root, 0}};
  std::vector<OpId> src;
  std::unordered_map<OpId, OpId> entered;
  const auto live = [&](OpId op) {
    if (const auto found = entered.find(op); found != entered.end()) return found->second;
    return live_of(op);
  };
  while (!stack.empty()) {
    auto& [op, port] = stack.back();
    if (live(op) != OpId{kNoId}) {
      stack.pop_back();
      continue;
    }
    const Op content = ops_.op(op);
    while (port < content.src.size() && live(content.src[port]) != OpId{kNoId}) ++port;
    if (port < content.src.size()) {
      stack.emplace_back(content.src[port], 0);
      continue;
    }
    src.clear();
    for (const OpId source : content.src) src.push_back(live(source));
    const OpId made = graph_.intern({content.kind, content.dtype, content.arg, content.tag, src});
    graph_.set_capture_op(made, index(op) < capture_.ops.size() ? op : OpId{kNoId});
    live_of_.resize(std::max(live_of_.size(), ops_.size()), OpId{kNoId});
    op_of_.resize(std::max(op_of_.size(), graph_.slot_count()), OpId{kNoId});
    live_of_[index(op)] = made;
    op_of_[graph_.slot_index(made)] = op;
    entered.emplace(op, made);
    stack.pop_back();
  }
  return live(root);
}

}  // namespace vizd
