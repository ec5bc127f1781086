// Details of one match of a pass, and a state's graph as text: the page shows them for the match on screen. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "model/capture.h"
#include "rewrite/history.h"
#include "rewrite/structural_diff.h"

namespace vizd {

struct MatchDetail {
  Match match;
  std::string before;  // the matched op and what it became, as the compiler prints them
  std::string after;
  std::vector<std::string> diff;  // of the two, op by op (structural_diff.h)
  std::vector<NodeId> changed;    // the boxes of this state's graph that are ops of `after`, sources first
};

// The match that leads to this state, from 1; worth nothing once the budget is over. Errors: there is no such state.
Result<MatchDetail> match_detail(const Capture& capture, const Pass& pass, const History& history, std::uint32_t state,
                                 const Budget& budget = Budget());

// The ops that a match put in place: those of what it made (tinygrad serve.py get_details: u1.toposort()), or of a
// whole graph those that the graph before did not have. Sources first.
std::vector<OpId> ops_put(const Capture& capture, const Pass& pass, const Match& match);

// The graph of a state as the compiler prints it. Errors: there is no such state.
Result<PrintedGraph> state_lines(const Capture& capture, const History& history, std::uint32_t state);
Result<std::string> state_text(const Capture& capture, const History& history, std::uint32_t state);

}  // namespace vizd
