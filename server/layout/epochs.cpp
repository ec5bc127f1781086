// find_epochs: the split of least cost, by dynamic programming over the states where a split may lie.
//
// A state is shown in the layout of its epoch's union. How much that hurts goes with how many times larger the union
// is, twice as large about as bad again: log2(union / live). A split hurts too: things move, once. The split of least
// cost balances the two over the whole pass, so a short burst inside a long pass makes no epoch of its own.
#include <algorithm>
#include <cmath>
#include <limits>

#include "layout/union_layout.h"

namespace vizd {
namespace {

// The cost of one more epoch, in states' share times log2. With 0.15 a pass whose union is 1.08 times its states stays
// whole; one that grows tenfold gets about four epochs.
constexpr double kSplitCost = 0.15;

// Up to about so many boxes fit on a screen, where holes do not matter.
constexpr double kScreenful = 50;

// States at which a split may lie; more take time and find nothing better.
constexpr std::size_t kMaxCandidates = 400;

// Boxes by state: how many live, and how many were born up to and with it.
struct Population {
  std::vector<std::uint32_t> live;
  std::vector<std::uint32_t> born;
};

Population count_boxes(const UnionGraph& graph) {
  const std::size_t states = graph.state_count;
  Population out{std::vector<std::uint32_t>(states, 0), std::vector<std::uint32_t>(states, 0)};
  std::vector<std::uint32_t> died(states + 1, 0);  // by state, those that died at it
  for (const UnionNode& node : graph.nodes) {
    const auto boxes = graph.boxes.subspan(node.first_box, node.box_count);
    const bool is_box = std::any_of(boxes.begin(), boxes.end(), [](const UnionBox& b) { return b.size.width_px > 0; });
    if (!is_box || node.born >= states || node.died <= node.born) continue;
    ++out.born[node.born];
    ++died[std::min<std::size_t>(node.died, states)];
  }
  std::uint32_t live = 0;
  for (std::size_t state = 0; state < states; ++state) {
    live = live + out.born[state] - died[state];
    out.live[state] = live;
    if (state > 0) out.born[state] += out.born[state - 1];
  }
  return out;
}

// The first state of each stretch between which nothing is split: all states, or as many as are allowed, spread evenly
// over what is born and dies.
std::vector<std::uint32_t> find_candidates(const Population& population) {
  const auto states = static_cast<std::uint32_t>(population.live.size());
  std::vector<double> change(states, 0);  // up to and with each state
  for (std::uint32_t state = 1; state < states; ++state) {
    const double born = population.born[state] - population.born[state - 1];
    const double died = born + population.live[state - 1] - population.live[state];
    change[state] = change[state - 1] + born + died + 1;
  }
  const double pitch = change.back() / static_cast<double>(kMaxCandidates);
  std::vector<std::uint32_t> candidates = {0};
  for (std::uint32_t state = 1; state < states; ++state) {
    const bool wanted =
        states <= kMaxCandidates || std::floor(change[state] / pitch) > std::floor(change[state - 1] / pitch);
    if (wanted) candidates.push_back(state);
  }
  return candidates;
}

}  // namespace

std::vector<Epoch> find_epochs(const UnionGraph& graph) {
  if (graph.state_count == 0) return {Epoch{}};
  const Population population = count_boxes(graph);
  std::vector<double> log_live(1, 0);  // summed over the states before
  for (const std::uint32_t live : population.live)
    log_live.push_back(log_live.back() + std::log2(std::max<double>(kScreenful, live)));
  const auto states = static_cast<double>(graph.state_count);
  // The states from, up to but without end, in one layout.
  const auto cost_of = [&](std::uint32_t from, std::uint32_t end) {
    const double boxes = population.live[from] + (population.born[end - 1] - population.born[from]);
    return (std::log2(std::max<double>(kScreenful, boxes)) * (end - from) - (log_live[end] - log_live[from])) / states +
           kSplitCost;
  };

  std::vector<std::uint32_t> candidates = find_candidates(population);
  candidates.push_back(graph.state_count);
  std::vector<double> least(candidates.size(), std::numeric_limits<double>::infinity());  // of the states before
  std::vector<std::size_t> last_split(candidates.size(), 0);
  least[0] = 0;
  for (std::size_t end = 1; end < candidates.size(); ++end) {
    for (std::size_t from = 0; from < end; ++from) {
      const double cost = least[from] + cost_of(candidates[from], candidates[end]);
      if (cost >= least[end]) continue;
      least[end] = cost;
      last_split[end] = from;
    }
  }
  std::vector<Epoch> epochs;
  for (std::size_t end = candidates.size() - 1; end > 0; end = last_split[end]) {
    epochs.push_back({candidates[last_split[end]], candidates[end] - 1});
  }
  std::reverse(epochs.begin(), epochs.end());
  return epochs;
}

}  // namespace vizd
