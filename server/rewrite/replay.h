// Replay: walks through the states of one pass, each exactly the reference's (tinygrad serve.py get_details). A state
// is a number of matches applied; the graph of the state at hand is live, and tells what changed since the one before.
// A match costs what it touches, and memory stays near the graph's size. Belongs to one thread; the capture is only
// read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/capture.h"
#include "rewrite/forward_replay.h"
#include "rewrite/live_graph.h"
#include "rewrite/replacements.h"
#include "rewrite/restart_replay.h"
#include "rewrite/whole_replay.h"

namespace vizd {

class Replay {
 public:
  // Begins at state 0, every op of which counts as born. Both arguments must outlive the replay.
  Replay(const Capture& capture, const Pass& pass) : Replay(capture, pass, std::nullopt) {}
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  const LiveGraph& graph() const { return graph_; }
  std::uint32_t state() const { return state_; }
  bool at_end() const { return state_ == pass_.match_count; }

  // Applies the next match. The graph's changes() are then those of this state.
  void advance();

  // How high the reference's stack grows at most on its way to this state, where it does not raise. Not known of passes
  // that are replayed whole.
  std::size_t stack_height() const;

  // Why the reference raises at this state, if it does. The graph is then the dialect's error op alone, and a pass that
  // goes on from the last state goes on from that.
  const std::string* error() const { return error_of(errors_, state_); }

 private:
  using StateErrors = std::vector<std::pair<std::uint32_t, std::string>>;

  Replay(const Capture& capture, const Pass& pass, std::optional<StateErrors> known_errors);
  static const std::string* error_of(const StateErrors& errors, std::uint32_t state);
  void advance_whole();
  std::optional<std::string> find_error(OpGraph& scratch, std::optional<OpId> previous) const;
  OpId copy_previous(OpGraph& scratch) const;
  void enter_error(std::string text);

  const Capture& capture_;
  const Pass& pass_;
  std::uint32_t state_ = 0;
  LiveGraph graph_;
  Replacements replacements_;
  ForwardReplay forward_;
  RestartReplay restart_;
  std::optional<WholeReplay> whole_;  // for passes of its kind, instead of the other two
  StateErrors errors_;
  std::optional<StateErrors> known_errors_;  // all there are, where another replay found them already
};

// Makes the live graph's ops in target, which stands on the same capture's graph, equal ops as one. Returns the root.
OpId copy_ops(const LiveGraph& graph, OpGraph& target);

}  // namespace vizd
