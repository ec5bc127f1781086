// Finds all ways in which one sequence is an interleaving of several queues, step by step. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace vizd {

struct Interleaved {
  std::uint32_t piece = 0;  // of a queue, that stands at this place
  bool is_only = false;     // the same one does in every interleaving
};

// The pieces by place in the sequence. fits(piece, place): whether a piece may stand there. Of several interleavings
// that one is taken whose next piece has the least start(piece). None where there is none, or there are more states
// than that. Returns in `states_taken`, where it is not null, how many there were.
template <typename Fits, typename Start>
std::optional<std::vector<Interleaved>> interleave(const std::vector<std::vector<std::uint32_t>>& queues, Fits&& fits,
                                                   std::size_t most_states, Start&& start,
                                                   std::size_t* states_taken = nullptr) {
  using State = std::vector<std::uint32_t>;  // how far each queue is
  std::size_t length = 0, states = 1;
  for (const auto& queue : queues) length += queue.size();
  const auto may_take = [&](const State& state, std::size_t q, std::size_t place) {
    return state[q] < queues[q].size() && fits(queues[q][state[q]], place);
  };
  const auto behind = [](State state, std::size_t q) {
    ++state[q];
    return state;
  };
  std::vector<std::set<State>> levels{{State(queues.size(), 0)}};
  for (std::size_t place = 0; place < length; ++place) {
    std::set<State> next;
    for (const State& state : levels.back()) {
      for (std::size_t q = 0; q < queues.size(); ++q) {
        if (may_take(state, q, place)) next.insert(behind(state, q));
      }
      if (states_taken != nullptr) *states_taken = states + next.size();
      if (states + next.size() > most_states) return std::nullopt;
    }
    if (next.empty()) return std::nullopt;
    states += next.size();
    levels.push_back(std::move(next));
  }
  // Only those that lead to the end.
  for (std::size_t place = length; place-- > 0;) {
    std::erase_if(levels[place], [&](const State& state) {
      for (std::size_t q = 0; q < queues.size(); ++q) {
        if (may_take(state, q, place) && levels[place + 1].contains(behind(state, q))) return false;
      }
      return true;
    });
  }
  std::vector<Interleaved> order;
  State at(queues.size(), 0);
  for (std::size_t place = 0; place < length; ++place) {
    std::set<std::uint32_t> pieces;
    for (const State& state : levels[place]) {
      for (std::size_t q = 0; q < queues.size(); ++q) {
        if (may_take(state, q, place) && levels[place + 1].contains(behind(state, q)))
          pieces.insert(queues[q][state[q]]);
      }
    }
    std::optional<std::size_t> taken;
    for (std::size_t q = 0; q < queues.size(); ++q) {
      if (!may_take(at, q, place) || !levels[place + 1].contains(behind(at, q))) continue;
      if (!taken || start(queues[q][at[q]]) < start(queues[*taken][at[*taken]])) taken = q;
    }
    order.push_back({queues[*taken][at[*taken]], pieces.size() == 1});
    ++at[*taken];
  }
  return order;
}

}  // namespace vizd
