// LiveLabels: how each op of a live graph looks: its label, and whether it is a box of its own. Kept up to date state
// by state, asking the dialect only about ops that changed and those above them whose labels show it. Belongs to one
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/capture.h"
#include "rewrite/live_graph.h"

namespace vizd {

class LiveLabels {
 public:
  // Both must outlive this. Looks at the graph first when update() is called.
  LiveLabels(const Dialect& dialect, const LiveGraph& graph);

  // To be called once a state, after end_state(). Returns the linked ops that are new or look different now, each once;
  // valid until the next call.
  std::span<const OpId> update();

  // Of a linked op.
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

  Look& look(OpId id) { return looks_[graph_.slot_index(id)]; }
  void await(OpId id);
  void relabel(OpId id);
  bool find_inlined(OpId id);
  void note_changed(OpId id);

  const LiveGraph& graph_;
  std::unique_ptr<OpAnalysis> analysis_;
  std::vector<Look> looks_;                              // by slot index
  std::vector<std::pair<std::uint64_t, OpId>> pending_;  // a heap by rank: sources before users
  std::vector<OpId> changed_;
};

}  // namespace vizd
