#include "layout/rank_reduction.h"

#include <algorithm>
#include <utility>

namespace vizd {
namespace {

constexpr std::uint32_t kNoNode = 0xFFFFFFFFu;

// How far two lists are searched for a parallel arc. One that is missed stays beside the other and does no harm.
constexpr int kMaxSearch = 32;

}  // namespace

RankReduction::RankReduction(std::vector<RankArc> arcs, std::span<const std::uint32_t> topological)
    : arcs_(std::move(arcs)), worklist_(topological.begin(), topological.end()) {
  const std::size_t node_count = topological.size();
  next_.assign(2 * arcs_.size(), kNoNode);
  prev_.assign(2 * arcs_.size(), kNoNode);
  first_.assign(2 * node_count, kNoNode);
  count_.assign(first_.size(), 0);
  weight_.assign(first_.size(), 0);
  for (End end = 0; end < next_.size(); ++end) link(end);

  // From the end, so that chains fold up from their users.
  std::vector<bool> gone(node_count, false);
  while (!worklist_.empty()) {
    const std::uint32_t node = worklist_.back();
    worklist_.pop_back();
    if (!gone[node]) gone[node] = join(node);
  }

  // A joined node's arcs lead on from nodes that lie before, or after, it in every order: the old order still holds.
  std::vector<std::uint32_t> new_number(node_count, kNoNode);
  for (const std::uint32_t node : topological) {
    if (gone[node]) continue;
    new_number[node] = static_cast<std::uint32_t>(kept_.size());
    kept_.push_back(node);
  }
  for (const std::uint32_t node : kept_) {
    for (End end = first_[list_of(node, true)]; end != kNoNode; end = next_[end]) {
      const RankArc& arc = arcs_[end / 2];
      reduced_arcs_.push_back({new_number[arc.tail], new_number[node], arc.length, arc.weight});
    }
  }
}

void RankReduction::link(End end) {
  const std::size_t list = list_of(node_of(end), (end & 1u) != 0);
  prev_[end] = kNoNode;
  next_[end] = first_[list];
  if (first_[list] != kNoNode) prev_[first_[list]] = end;
  first_[list] = end;
  ++count_[list];
  weight_[list] += arcs_[end / 2].weight;
}

void RankReduction::unlink(End end) {
  const std::size_t list = list_of(node_of(end), (end & 1u) != 0);
  if (next_[end] != kNoNode) prev_[next_[end]] = prev_[end];
  (prev_[end] != kNoNode ? next_[prev_[end]] : first_[list]) = next_[end];
  --count_[list];
  weight_[list] -= arcs_[end / 2].weight;
}

// Joins node with its only user or its only source, where that is allowed.
bool RankReduction::join(std::uint32_t node) {
  const std::size_t out = list_of(node, false);
  const std::size_t in = list_of(node, true);
  const bool to_user = count_[out] == 1 && weight_[out] >= weight_[in];
  const bool to_source = !to_user && count_[in] == 1 && weight_[in] >= weight_[out];
  if (!to_user && !to_source) return false;
  const std::uint32_t between = first_[to_user ? out : in] / 2;
  const std::uint32_t to = to_user ? arcs_[between].head : arcs_[between].tail;
  const std::int32_t length = arcs_[between].length;
  joined_.push_back({node, to, to_user ? -length : length});
  unlink(2 * between);
  unlink(2 * between + 1);
  while (first_[to_user ? in : out] != kNoNode) move_arc(first_[to_user ? in : out], to, length);
  worklist_.push_back(to);
  return true;
}

// Gives an arc's end to another node. Of two arcs that join the same nodes the longer binds, and both weigh.
void RankReduction::move_arc(End end, std::uint32_t to, std::int32_t longer) {
  const std::uint32_t arc = end / 2;
  unlink(2 * arc);
  unlink(2 * arc + 1);
  ((end & 1u) != 0 ? arcs_[arc].head : arcs_[arc].tail) = to;
  arcs_[arc].length += longer;
  const std::uint32_t other_node = node_of(end ^ 1u);
  if (const std::uint32_t parallel = find_parallel(arc); parallel != kNoNode) {
    arcs_[parallel].length = std::max(arcs_[parallel].length, arcs_[arc].length);
    arcs_[parallel].weight += arcs_[arc].weight;
    weight_[list_of(arcs_[arc].tail, false)] += arcs_[arc].weight;
    weight_[list_of(arcs_[arc].head, true)] += arcs_[arc].weight;
  } else {
    link(2 * arc);
    link(2 * arc + 1);
  }
  worklist_.push_back(other_node);
}

std::uint32_t RankReduction::find_parallel(std::uint32_t arc) const {
  const RankArc& wanted = arcs_[arc];
  const std::size_t out = list_of(wanted.tail, false);
  const std::size_t in = list_of(wanted.head, true);
  int searched = 0;
  for (End end = first_[count_[out] <= count_[in] ? out : in]; end != kNoNode && searched < kMaxSearch;
       end = next_[end], ++searched) {
    if (arcs_[end / 2].tail == wanted.tail && arcs_[end / 2].head == wanted.head) return end / 2;
  }
  return kNoNode;
}

std::vector<std::int32_t> RankReduction::expand(std::span<const std::int32_t> reduced_ranks) const {
  std::vector<std::int32_t> ranks(first_.size() / 2, 0);
  for (std::size_t i = 0; i < kept_.size(); ++i) ranks[kept_[i]] = reduced_ranks[i];
  for (std::size_t i = joined_.size(); i-- > 0;) ranks[joined_[i].node] = ranks[joined_[i].to] + joined_[i].distance;
  return ranks;
}

}  // namespace vizd
