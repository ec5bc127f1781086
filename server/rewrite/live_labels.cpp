#include "rewrite/live_labels.h"

#include <algorithm>
#include <functional>

namespace vizd {

LiveLabels::LiveLabels(const Dialect& dialect, const LiveGraph& graph)
    : graph_(graph), analysis_(dialect.analyse(graph.ops())) {}

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
  while (!pending_.empty()) {
    std::ranges::pop_heap(pending_, std::greater<>());
    const OpId id = pending_.back().second;
    pending_.pop_back();
    relabel(id);
  }
  for (const OpId id : changes.users_changed) {
    const bool inlined = find_inlined(id);
    if (inlined != look(id).inlined) note_changed(id);
    look(id).inlined = inlined;
  }
  return changed_;
}

void LiveLabels::relabel(OpId id) {
  Look& l = look(id);
  l.pending = false;
  const bool is_new = l.label == LabelId{kNoId};
  // Whoever reads a new op is new or rewired, and so pending already.
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

// As tinygrad's serve.py uop_to_json excludes ops: constants and the like, and what only constants read; never the
// root.
bool LiveLabels::find_inlined(OpId id) {
  if (id == graph_.root()) return false;
  if (analysis_->is_inlined(id)) return true;
  bool all = true;
  graph_.for_each_user_while(id, [&](OpId user) { return all = analysis_->inlines_sources(user); });
  return all;
}

void LiveLabels::note_changed(OpId id) {
  if (look(id).changed) return;
  look(id).changed = true;
  changed_.push_back(id);
}

}  // namespace vizd
