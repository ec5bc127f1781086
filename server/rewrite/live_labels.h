// LiveLabels: how each op of a live graph looks: its label, and whether it is a box of its own. Kept up to date state
// by state, asking the dialect only about ops that changed and those above them whose labels show it. Belongs to one
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/capture.h"
#include "model/recorded_ops.h"
#include "rewrite/live_graph.h"

namespace vizd {

class LiveLabels : private Surroundings {
 public:
  // Both must outlive this. Looks at the graph first when update() is called.
  LiveLabels(const Dialect& dialect, const LiveGraph& graph);

  // To be called once a state, after end_state(). Returns the linked ops that are new or look different now, each once;
  // valid until the next call.
  std::span<const OpId> update();

  // The op must be linked.
  LabelId label(OpId id) const { return looks_[graph_.slot_index(id)].label; }
  bool is_inlined(OpId id) const { return looks_[graph_.slot_index(id)].inlined; }
  OpAnalysis& analysis() { return *analysis_; }

 private:
  struct Look {
    LabelId label{kNoId};
    bool inlined = false;
    bool pending = false;
    bool changed = false;  // is in changed_
  };

  bool is_root(OpId id) const override { return id == graph_.root(); }
  bool any_user(OpId id, const std::function<bool(OpId user)>& holds) const override;
  std::size_t place(OpId id) const override;

  Look& look(OpId id) { return looks_[graph_.slot_index(id)]; }
  void await(OpId id);
  void relabel(OpId id);
  void update_hidden();
  void note_changed(OpId id);

  const LiveGraph& graph_;
  std::unique_ptr<OpAnalysis> analysis_;
  ShowsRecordedOps* recorded_ = nullptr;                   // of the analysis, where labels depend on it
  std::vector<Look> looks_;                                // by slot index
  std::vector<std::pair<std::uint64_t, OpId>> pending_;    // a heap by rank: sources before users
  std::vector<std::pair<std::uint64_t, OpId>> looked_at_;  // likewise: whose being hidden is to be found
  std::vector<OpId> changed_;
  mutable std::vector<std::uint32_t> places_;  // by slot index, of this state; empty until asked for
  mutable bool asked_place_ = false;
  std::vector<OpId> placed_;  // whose being hidden depends on places
};

}  // namespace vizd
