// ReplayQuery: what a person types to find the work of a server's steps and of graphs' replays: layer:3, piece:5,
// module:mlp, operator:mm, found:guessed, phase:decode, step:7, replay:17, replay:slowest, graph:0, node:12. All must
// hold. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {

struct ReplayQuery {
  enum class Of : std::uint8_t { kLayer, kPiece, kModule, kOperator, kFound, kPhase, kStep, kReplay, kGraph, kNode };
  struct Condition {
    Of of;
    std::string wanted;  // in lower case
  };
  std::vector<Condition> conditions;
  std::string rest;  // the other words, as they were typed

  // Reads the words of a text. "…" around all of it is a text to look for as it is.
  static ReplayQuery parse(std::string_view text);
};

// Calls found with the track and event of each piece of work for which all conditions hold. A number is that number
// and nothing else; a module or an operator holds the text, and a module is also of that kind (attention, mlp, norm,
// routing). replay:slowest is of each graph the replay that took longest.
void find_replayed_work(const GraphReplays& replays, const ReplayQuery& query,
                        const std::function<void(std::uint32_t track, std::uint32_t event)>& found);

}  // namespace vizd
