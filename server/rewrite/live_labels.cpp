#include "rewrite/live_labels.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace vizd {

LiveLabels::LiveLabels(const Dialect& dialect, const LiveGraph& graph)
    : graph_(graph), analysis_(dialect.analyse(graph.ops())) {
  auto* recorded = dynamic_cast<ShowsRecordedOps*>(analysis_.get());
  if (recorded != nullptr && recorded->shows_recorded_ops()) recorded_ = recorded;
}

std::span<const OpId> LiveLabels::update() {
  for (const OpId id : changed_) look(id).changed = false;
  changed_.clear();
  looks_.resize(graph_.slot_count());
  const LiveChanges& changes = graph_.changes();
  for (const OpId id : changes.died) {
    analysis_->forget(id);
    look(id) = Look{};
  }
  for (const OpId id : changes.born) await(id);
  for (const OpId id : changes.rewired) await(id);
  if (recorded_ != nullptr) {
    for (const OpId id : changes.identified) {
      if (graph_.is_linked(id)) await(id);
    }
  }
  if (analysis_->labels_show_hidden()) update_hidden();
  while (!pending_.empty()) {
    std::ranges::pop_heap(pending_, std::greater<>());
    const OpId id = pending_.back().second;
    pending_.pop_back();
    relabel(id);
  }
  if (!analysis_->labels_show_hidden()) update_hidden();
  return changed_;
}

// Sources before users, since an op may be hidden where its source is. What is new has new users.
void LiveLabels::update_hidden() {
  const auto add = [&](OpId id) {
    looked_at_.emplace_back(graph_.rank(id), id);
    std::ranges::push_heap(looked_at_, std::greater<>());
  };
  for (const OpId id : graph_.changes().users_changed) add(id);
  for (const OpId id : std::exchange(placed_, {})) {
    if (graph_.is_linked(id)) add(id);
  }
  places_.clear();
  if (analysis_->labels_show_hidden()) {
    for (const OpId id : graph_.changes().rewired) add(id);
  }
  OpId last{kNoId};
  while (!looked_at_.empty()) {
    std::ranges::pop_heap(looked_at_, std::greater<>());
    const OpId id = looked_at_.back().second;
    looked_at_.pop_back();
    if (id == last) continue;
    last = id;
    asked_place_ = false;
    const bool hidden = analysis_->find_hidden(id, *this);
    if (asked_place_) placed_.push_back(id);
    if (hidden == look(id).inlined) continue;
    look(id).inlined = hidden;
    note_changed(id);
    if (!analysis_->labels_show_hidden()) continue;
    graph_.for_each_user(id, [&](OpId user) {
      await(user);
      add(user);
    });
  }
}

std::size_t LiveLabels::place(OpId id) const {
  asked_place_ = true;
  if (places_.empty()) {
    places_.resize(graph_.slot_count());
    std::uint32_t next = 0;
    for (const OpId op : toposort(graph_.ops(), graph_.root())) places_[graph_.slot_index(op)] = next++;
  }
  return places_[graph_.slot_index(id)];
}

bool LiveLabels::any_user(OpId id, const std::function<bool(OpId user)>& holds) const {
  bool any = false;
  graph_.for_each_user_while(id, [&](OpId user) { return !(any = holds(user)); });
  return any;
}

void LiveLabels::relabel(OpId id) {
  Look& l = look(id);
  l.pending = false;
  const bool is_new = l.label == LabelId{kNoId};
  if (recorded_ != nullptr) recorded_->set_recorded(id, graph_.capture_op(id));
  // An op that reads a new op is new or rewired itself, and so pending already.
  if (!is_new && analysis_->refresh(id)) graph_.for_each_user(id, [&](OpId user) { await(user); });
  const LabelId label = analysis_->label(id);
  if (label == l.label) return;
  l.label = label;
  note_changed(id);
}

void LiveLabels::await(OpId id) {
  if (look(id).pending) return;
  look(id).pending = true;
  pending_.emplace_back(graph_.rank(id), id);
  std::ranges::push_heap(pending_, std::greater<>());
}

void LiveLabels::note_changed(OpId id) {
  if (look(id).changed) return;
  look(id).changed = true;
  changed_.push_back(id);
}

}  // namespace vizd
