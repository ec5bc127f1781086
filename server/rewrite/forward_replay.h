// ForwardReplay: the states of a top-down pass, in which each state is the one before with all matches so far
// substituted (tinygrad serve.py get_details, bottom_up false).
//
// The state at hand holds no op that was replaced, so a new match matters only where its op stands in the state: that
// op's users read the replacement instead. Their own users are concerned only where an op becomes equal to another one,
// or begins or ends to equal one of the capture's, which may be replaced in turn. The reference creates all ancestors
// again instead; the outcome is the same. Belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "model/dialect.h"
#include "rewrite/live_graph.h"
#include "rewrite/replacements.h"

namespace vizd {

class ForwardReplay {
 public:
  // The arguments must outlive this.
  ForwardReplay(LiveGraph& graph, const Replacements& replacements, const Dialect& dialect)
      : graph_(graph), replacements_(replacements), dialect_(dialect) {}

  // Substitutes after a match of this op, which is in the replacements already; between the graph's begin_state() and
  // end_state(). False where replacements run into a loop: the graph is then half changed, and wants another root.
  bool apply(OpId before);
  // The graph has got another root, of which nothing is known.
  void root_changed() { root_is_new_ = true; }
  // How many ops and edges of replacements the last match came by.
  std::size_t visited() const { return visited_; }

 private:
  struct Pending {
    std::uint64_t rank;
    OpId op;
    bool operator>(const Pending& other) const { return rank > other.rank; }
  };
  // An op of the capture and what it becomes; none while that is worked out.
  struct Outcome {
    OpId op;
    OpId live;
  };
  struct Frame {
    std::size_t outcome;
    OpId subject;         // what stands for the op in the end
    OpId rebuilt{kNoId};  // the replaced op that the subject became with its sources, whose outcome is awaited
    std::size_t port = 0;
  };

  bool settle(OpId op);
  bool replace(OpId live, OpId capture_op);
  void put(OpId live, OpId by);
  ValueId dtype_of(const Op& subject, std::span<const OpId> src) const;
  OpId evaluate(OpId capture_op);
  bool enter(OpId capture_op);
  bool enter_sources(Frame& frame);
  bool rebuild(Frame& frame);
  void finish(OpId live);
  OpId intern(const Op& op, OpId capture_op);
  OpId untouched(OpId capture_op) const;
  std::uint32_t find_outcome(OpId capture_op) const;
  void await(OpId op);
  void await_users(OpId op);
  void reset();

  LiveGraph& graph_;
  const Replacements& replacements_;
  const Dialect& dialect_;
  bool root_is_new_ = false;

  // These belong to the match at hand:
  OpId before_{};
  std::size_t visited_ = 0;
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;  // sources before users
  std::vector<OpId> retyped_;     // ops that read one of another dtype than before
  std::vector<bool> is_pending_;  // by slot index
  std::vector<Frame> stack_;
  std::vector<Outcome> outcomes_;
  HashIndex outcome_index_;
  std::vector<OpId> src_;
};

}  // namespace vizd
