// WholeReplay: the states of passes whose substitution is not of the usual kind: those that look at each op once, and
// those that come by calls, whose bodies stay as they are though an op in them is replaced elsewhere. Substitutes in
// the whole graph at each match, as the reference does; such passes are few and short. Belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/capture.h"
#include "rewrite/live_graph.h"
#include "rewrite/substitute.h"

namespace vizd {

class WholeReplay {
 public:
  // Whether the pass is one of those. Costs the pass's graphs where it comes by calls.
  static bool suits(const Capture& capture, const Pass& pass);

  // The graph holds the pass's sink. All must outlive this.
  WholeReplay(const Capture& capture, const Pass& pass, LiveGraph& graph, const Replacements& replacements);

  // Substitutes after a match, which is in the replacements already; between the graph's begin_state() and
  // end_state(). The error that the reference raises, if it does: the graph is then as it was, and wants another root.
  std::optional<SubstituteError> apply();
  // Goes on from this op of ops(), the graph's new root.
  void set_root(OpId root) { root_ = root; }
  OpGraph& ops() { return ops_; }

 private:
  OpId live_of(OpId op) const;
  OpId enter(OpId root);

  const Capture& capture_;
  const Pass& pass_;
  LiveGraph& graph_;
  const Replacements& replacements_;
  OpGraph ops_;  // of all states, on the capture's
  Substitution substitution_;
  OpId root_;
  std::vector<OpId> live_of_;                  // by op
  std::vector<OpId> op_of_;                    // by slot index of the live graph
  std::vector<std::pair<OpId, OpId>> before_;  // what the sink's ops were in the state before
};

}  // namespace vizd
