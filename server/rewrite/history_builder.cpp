#include "rewrite/history_builder.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vizd {

HistoryBuilder::HistoryBuilder(const Capture& capture, const Replay& replay, bool with_labels)
    : replay_(replay), graph_(replay.graph()) {
  if (with_labels) labels_.emplace(*capture.dialect, replay.graph());
}

void HistoryBuilder::add_state() {
  state_ = replay_.state();
  nodes_.resize(graph_.slot_count(), NodeId{kNoId});
  walked_.resize(graph_.slot_count(), 0);
  follow_replacements();
  bury_dead();
  add_born();
  for (const OpId id : graph_.changes().born) connect(id);
  for (const OpId id : graph_.changes().rewired) connect(id);
  if (labels_) {
    for (const OpId id : labels_->update()) describe(id);
  } else {
    for (const OpId id : graph_.changes().born) add_version(id, {});
  }
  const NodeId root = node(graph_.root());
  if (history_.roots.empty() || history_.roots.back().root != root) history_.roots.push_back({state_, root});
  if (const std::string* error = replay_.error()) history_.errors.emplace_back(state_, *error);
}

// Walks old and new side by side from where one took the other's place: a new op in the place of a dead one is its
// node; where both are of one kind and arity, so go their sources, in pairs.
void HistoryBuilder::follow_replacements() {
  merged_.clear();
  for (const auto& replaced : graph_.changes().replaced) {
    walk_.assign(1, replaced);
    while (!walk_.empty()) {
      const auto [from, to] = walk_.back();
      walk_.pop_back();
      follow(from, to);
    }
  }
  for (const auto& [from, to] : merged_) {
    if (node(from) == NodeId{kNoId}) continue;  // has become another op after all
    NodeId& into = history_.nodes[index(node(from))].merged_into;
    if (into == NodeId{kNoId}) into = node(to);
  }
}

void HistoryBuilder::follow(OpId from, OpId to) {
  if (from == to || !graph_.is_linked(to)) return;
  const bool is_dead = !graph_.is_linked(from) && node(from) != NodeId{kNoId};
  if (node(to) != NodeId{kNoId}) {
    if (is_dead) merged_.emplace_back(from, to);
    return;
  }
  if (is_dead) std::swap(node(from), node(to));
  if (std::exchange(walked_[graph_.slot_index(to)], state_ + 1) == state_ + 1) return;
  const std::span<const OpId> before = graph_.ops().src(from), after = graph_.ops().src(to);
  if (graph_.ops().kind(from) != graph_.ops().kind(to) || before.size() != after.size()) return;
  for (std::size_t port = before.size(); port-- > 0;) walk_.emplace_back(before[port], after[port]);
}

void HistoryBuilder::bury_dead() {
  for (const OpId id : graph_.changes().died) {
    const NodeId dead = std::exchange(node(id), NodeId{kNoId});
    if (dead == NodeId{kNoId}) continue;
    history_.nodes[index(dead)].died = state_;
    for (const std::uint32_t edge : ports_[index(dead)]) history_.edges[edge].died = state_;
    ports_[index(dead)] = {};
  }
}

void HistoryBuilder::add_born() {
  born_.assign(graph_.changes().born.begin(), graph_.changes().born.end());
  std::ranges::sort(born_, {}, [&](OpId id) { return graph_.rank(id); });
  for (const OpId id : born_) {
    if (node(id) != NodeId{kNoId}) continue;
    node(id) = to_id<NodeId>(history_.nodes.size());
    history_.nodes.push_back({.born = state_});
    ports_.emplace_back();
    last_version_.push_back(kNoId);
  }
}

// Ends the edges into an op that are no more, and begins those that are new.
void HistoryBuilder::connect(OpId id) {
  const NodeId user = node(id);
  std::vector<std::uint32_t>& ports = ports_[index(user)];
  const std::span<const OpId> src = graph_.ops().src(id);
  for (std::size_t port = src.size(); port < ports.size(); ++port) history_.edges[ports[port]].died = state_;
  const std::size_t kept = std::min(ports.size(), src.size());
  ports.resize(src.size());
  for (std::size_t port = 0; port < src.size(); ++port) {
    const NodeId source = node(src[port]);
    if (port < kept && history_.edges[ports[port]].source == source) continue;
    if (port < kept) history_.edges[ports[port]].died = state_;
    ports[port] = static_cast<std::uint32_t>(history_.edges.size());
    history_.edges.push_back(
        {.source = source, .user = user, .port = static_cast<std::uint32_t>(port), .born = state_});
  }
}

void HistoryBuilder::describe(OpId id) {
  add_version(id, {.inlined = labels_->is_inlined(id),
                   .label = label_index(labels_->label(id)),
                   .ref = labels_->analysis().ref(id).value_or(ContextId{kNoId})});
}

// Fills in what the op has by itself. A version like the last one is none.
void HistoryBuilder::add_version(OpId id, NodeVersion version) {
  const Op op = graph_.ops().op(id);
  version.state = state_;
  version.kind = op.kind;
  version.dtype = op.dtype;
  version.arg = op.arg;
  version.tag = op.tag;
  std::uint32_t& last = last_version_[index(node(id))];
  const auto look = [](const NodeVersion& v) {
    return std::tie(v.kind, v.inlined, v.dtype, v.arg, v.tag, v.label, v.ref);
  };
  if (last != kNoId && look(versions_[last].second) == look(version)) return;
  last = static_cast<std::uint32_t>(versions_.size());
  versions_.emplace_back(node(id), version);
}

std::uint32_t HistoryBuilder::label_index(LabelId id) {
  if (index(id) >= label_index_.size()) label_index_.resize(index(id) + 1, kNoId);
  std::uint32_t& found = label_index_[index(id)];
  if (found == kNoId) {
    found = static_cast<std::uint32_t>(history_.labels.size());
    history_.labels.emplace_back(labels_->analysis().label_text(id));
  }
  return found;
}

History HistoryBuilder::take() && {
  history_.state_count = state_ + 1;
  std::ranges::stable_sort(versions_, {}, [](const auto& v) { return v.first; });
  history_.versions.reserve(versions_.size());
  for (const auto& [id, version] : versions_) {
    HistoryNode& of = history_.nodes[index(id)];
    if (of.version_count++ == 0) of.first_version = static_cast<std::uint32_t>(history_.versions.size());
    history_.versions.push_back(version);
  }
  std::ranges::sort(history_.edges, {}, [](const HistoryEdge& e) { return std::tuple(e.user, e.port, e.born); });
  return std::move(history_);
}

Result<History> build_history(const Capture& capture, const Pass& pass, const HistoryOptions& options) {
  constexpr std::uint32_t kReportStates = 64;  // between two calls of progress
  Replay replay(capture, pass);
  HistoryBuilder builder(capture, replay, options.labels);
  builder.add_state();
  while (!replay.at_end()) {
    if (options.stop.stop_requested()) return Error{ErrorKind::kBusy, "the replay was stopped", ""};
    if (options.progress && replay.state() % kReportStates == 0) options.progress(replay.state(), pass.match_count);
    replay.advance();
    builder.add_state();
  }
  return std::move(builder).take();
}

}  // namespace vizd
