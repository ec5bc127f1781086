#include "rewrite/replay.h"

#include <algorithm>
#include <unordered_map>

#include "base/assert.h"
#include "rewrite/graph_matching.h"
#include "rewrite/substitute.h"

namespace vizd {
namespace {

// Puts a whole graph of the capture in the place of the one at hand.
void enter_graph(LiveGraph& graph, OpId capture_root) {
  const OpId old_root = graph.root();
  graph.begin_state();
  graph.import(capture_root);
  graph.end_state();
  graph.set_replaced(match_graphs(graph, old_root));
}

}  // namespace

Replay::Replay(const Capture& capture, const Pass& pass, std::optional<StateErrors> known_errors)
    : capture_(capture),
      pass_(pass),
      graph_(capture.ops),
      forward_(graph_, replacements_, *capture.dialect),
      restart_(graph_, replacements_, *capture.dialect, pass.sink),
      known_errors_(std::move(known_errors)) {
  graph_.begin_state();
  graph_.import(pass.sink);
  graph_.end_state();
  if (WholeReplay::suits(capture, pass)) whole_.emplace(capture, pass, graph_, replacements_);
}

void Replay::advance() {
  VIZD_ASSERT(!at_end());
  if (whole_) return advance_whole();
  if (pass_.restarts_from_sink && state_ == 0) restart_.begin();
  const Match& match = capture_.rewrites.matches_of(pass_)[state_++];
  if (pass_.whole_graphs) return enter_graph(graph_, match.after);
  replacements_.set(match.before, match.after);
  OpGraph scratch(&capture_.ops);
  std::optional<OpId> previous;
  // A copy costs the graph, so it is made where the limit is near; a match that comes from farther replays the pass.
  if (!known_errors_ && !pass_.restarts_from_sink &&
      stack_height() > kSubstituteStackLimit - kSubstituteStackLimit / 16) {
    previous = copy_ops(graph_, scratch);
  }
  graph_.begin_state();
  const bool ok = pass_.restarts_from_sink ? restart_.apply(match.before) : forward_.apply(match.before);
  // The reference also raises where there is no loop but its stack grows past its limit; only a large graph can do
  // that.
  if (!ok || stack_height() > kSubstituteStackLimit) {
    std::optional<std::string> error = find_error(scratch, previous);
    VIZD_ASSERT(ok || error);
    if (error) enter_error(std::move(*error));
  }
  graph_.end_state();
}

void Replay::advance_whole() {
  const Match& match = capture_.rewrites.matches_of(pass_)[state_++];
  replacements_.set(match.before, match.after);
  graph_.begin_state();
  if (const auto error = whole_->apply()) {
    const std::string text(error_text(*error));
    whole_->set_root(capture_.dialect->error_op(whole_->ops(), text));
    enter_error(text);
  }
  graph_.end_state();
}

// In a pass that goes on from its last state each op is on the stack at most once begun and once made again, with its
// sources above it.
std::size_t Replay::stack_height() const {
  if (pass_.restarts_from_sink) return restart_.stack_height();
  return 2 * (graph_.linked_ops() + graph_.linked_edges() + forward_.visited());
}

const std::string* Replay::error_of(const StateErrors& errors, std::uint32_t state) {
  const auto found = std::find_if(errors.rbegin(), errors.rend(), [&](const auto& e) { return e.first <= state; });
  return found != errors.rend() && found->first == state ? &found->second : nullptr;
}

std::optional<std::string> Replay::find_error(OpGraph& scratch, std::optional<OpId> previous) const {
  if (known_errors_) {
    const std::string* text = error_of(*known_errors_, state_);
    return text == nullptr ? std::nullopt : std::optional(*text);
  }
  if (replacements_.empty()) return std::nullopt;
  const OpId root = pass_.restarts_from_sink ? pass_.sink : previous ? *previous : copy_previous(scratch);
  const SubstituteOptions options{.enters_calls = pass_.enters_calls};
  const auto outcome = Substitution(scratch, replacements_, *capture_.dialect, options).run(root);
  const auto* error = std::get_if<SubstituteError>(&outcome);
  return error == nullptr ? std::nullopt : std::optional(std::string(error_text(*error)));
}

OpId Replay::copy_previous(OpGraph& scratch) const {
  if (const std::string* text = error_of(errors_, state_ - 1)) return capture_.dialect->error_op(scratch, *text);
  Replay earlier(capture_, pass_, errors_);
  while (earlier.state() + 1 < state_) earlier.advance();
  return copy_ops(earlier.graph(), scratch);
}

void Replay::enter_error(std::string text) {
  OpGraph scratch(&capture_.ops);
  const Op op = scratch.op(capture_.dialect->error_op(scratch, text));
  const OpId root = graph_.intern(op);
  graph_.set_capture_op(root, graph_.equal_capture_op(op));
  graph_.set_root(root);
  forward_.root_changed();
  errors_.emplace_back(state_, std::move(text));
}

OpId copy_ops(const LiveGraph& graph, OpGraph& target) {
  std::unordered_map<OpId, OpId> copies;
  std::vector<OpId> src;
  for (const OpId id : toposort(graph.ops(), graph.root())) {
    const Op op = graph.ops().op(id);
    src.clear();
    for (const OpId source : op.src) src.push_back(copies.at(source));
    copies[id] = target.add(op.kind, op.dtype, src, op.arg, op.tag);
  }
  return copies.at(graph.root());
}

}  // namespace vizd
