// HistoryBuilder: writes down a replay's states as one History. Decides which node an op is (an op that takes the place
// of a dead one is the same node; server/rewrite/README.md) and what about it is new. Costs what changed. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "rewrite/history.h"
#include "rewrite/live_labels.h"
#include "rewrite/replay.h"

namespace vizd {

class HistoryBuilder {
 public:
  // The replay must outlive this, and be at state 0.
  HistoryBuilder(const Capture& capture, const Replay& replay, bool with_labels);

  // To be called once at each state, in order, from state 0.
  void add_state();
  // To be called once, at the end.
  History take() &&;

 private:
  NodeId& node(OpId id) { return nodes_[graph_.slot_index(id)]; }
  void follow_replacements();
  void follow(OpId from, OpId to);
  void bury_dead();
  void add_born();
  void connect(OpId id);
  void describe(OpId id);
  void add_version(OpId id, NodeVersion version);
  std::uint32_t label_index(LabelId id);

  const Replay& replay_;
  const LiveGraph& graph_;
  std::optional<LiveLabels> labels_;  // none: nothing is said of how nodes look
  std::uint32_t state_ = 0;
  std::vector<NodeId> nodes_;                      // by slot index
  std::vector<std::uint32_t> walked_;              // by slot index: the last state + 1 at which it was walked as new
  std::vector<std::vector<std::uint32_t>> ports_;  // by node: its edges now, into history_.edges
  std::vector<std::uint32_t> last_version_;        // by node, into versions_
  std::vector<std::pair<NodeId, NodeVersion>> versions_;  // as they come
  std::vector<std::uint32_t> label_index_;                // by LabelId
  std::vector<std::pair<OpId, OpId>> walk_;
  std::vector<std::pair<OpId, OpId>> merged_;  // a dead op, and the one that others read instead
  std::vector<OpId> born_;
  History history_;
};

}  // namespace vizd
