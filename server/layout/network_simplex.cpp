#include "layout/network_simplex.h"

#include <limits>
#include <utility>

#include "base/assert.h"
#include "layout/tight_forest.h"

namespace vizd {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;

// How many arcs of negative cut value are compared before the worst of them leaves the tree.
constexpr int kCandidates = 24;

}  // namespace

NetworkSimplex::NetworkSimplex(std::span<const RankArc> arcs, std::vector<std::int32_t> ranks)
    : arcs_(arcs), ranks_(std::move(ranks)) {
  const std::size_t nodes = ranks_.size();
  in_ = group_by(nodes, arcs_.size(), [&](std::uint32_t arc) { return arcs_[arc].head; });
  out_ = group_by(nodes, arcs_.size(), [&](std::uint32_t arc) { return arcs_[arc].tail; });
  cut_value_.assign(arcs_.size(), 0);
  parent_.assign(nodes, kNone);
  first_end_.assign(nodes, kNone);
  next_end_.assign(2 * arcs_.size(), kNone);
  prev_end_.assign(2 * arcs_.size(), kNone);
  mark_.assign(nodes, 0);
  seen_.assign(nodes, 0);
  tree_ = tighten(arcs_, in_, out_, ranks_);
  for (const std::uint32_t arc : tree_) link(arc);
  root_forest();
}

bool NetworkSimplex::run(std::uint64_t steps, const std::stop_token& stop) {
  steps_ = 0;
  for (;;) {
    const std::size_t slot = find_leaving();
    if (slot == tree_.size()) return true;
    if (steps_ >= steps || stop.stop_requested()) return false;
    tree_[slot] = pivot(tree_[slot]);
  }
}

void NetworkSimplex::link(std::uint32_t arc) {
  for (const End end : {2 * arc, 2 * arc + 1}) {
    End& first = first_end_[node_of(end)];
    prev_end_[end] = kNone;
    next_end_[end] = first;
    if (first != kNone) prev_end_[first] = end;
    first = end;
  }
}

void NetworkSimplex::unlink(std::uint32_t arc) {
  for (const End end : {2 * arc, 2 * arc + 1}) {
    const End next = next_end_[end];
    const End prev = prev_end_[end];
    if (next != kNone) prev_end_[next] = prev;
    (prev != kNone ? next_end_[prev] : first_end_[node_of(end)]) = next;
  }
}

// Gives each tree a root and each of its arcs a cut value: the weight that leaves the side of the arc's tail, less what
// enters it. Summed over a subtree only the arcs between it and the rest remain.
void NetworkSimplex::root_forest() {
  const std::size_t nodes = ranks_.size();
  std::vector<std::int64_t> leaving(nodes, 0);
  for (const RankArc& arc : arcs_) {
    leaving[arc.tail] += arc.weight;
    leaving[arc.head] -= arc.weight;
  }
  std::vector<std::uint32_t> order;  // parents before children
  order.reserve(nodes);
  std::vector<bool> reached(nodes, false);
  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (reached[root]) continue;
    reached[root] = true;
    order.push_back(root);
    for (std::size_t i = order.size() - 1; i < order.size(); ++i) {
      for (End end = first_end_[order[i]]; end != kNone; end = next_end_[end]) {
        const std::uint32_t child = node_of(end ^ 1u);
        if (reached[child]) continue;
        reached[child] = true;
        parent_[child] = end ^ 1u;
        order.push_back(child);
      }
    }
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    const End end = parent_[order[i]];
    if (end == kNone) continue;
    const std::int64_t sum = leaving[order[i]];
    leaving[node_of(end ^ 1u)] += sum;
    cut_value_[end / 2] = (end & 1u) == 0 ? sum : -sum;
  }
}

// The worst of the next few arcs of negative cut value, as an index into tree_; tree_.size() where there is none.
std::size_t NetworkSimplex::find_leaving() {
  std::size_t worst = tree_.size();
  int candidates = 0;
  for (std::size_t looked = 0; looked < tree_.size() && candidates < kCandidates; ++looked) {
    if (cursor_ >= tree_.size()) cursor_ = 0;
    if (const std::int64_t value = cut_value_[tree_[cursor_]]; value < 0) {
      ++candidates;
      if (worst == tree_.size() || value < cut_value_[tree_[worst]]) worst = cursor_;
    }
    ++cursor_;
    ++steps_;
  }
  return worst;
}

// Takes leaving out of the tree, moves its smaller side until another arc is tight, and takes that one in and returns
// it.
std::uint32_t NetworkSimplex::pivot(std::uint32_t leaving) {
  const bool tail_side = take_smaller_side(leaving);
  const std::uint32_t entering = find_entering(tail_side);
  const std::int32_t shift = tail_side ? -slack(entering) : slack(entering);
  if (shift != 0) {
    for (const std::uint32_t node : part_) ranks_[node] += shift;
  }
  // The cut values are a flow that balances each node's weights; the cycle that entering closes takes the change.
  const RankArc& out = arcs_[leaving];
  const RankArc& in = arcs_[entering];
  const std::int64_t flow = -cut_value_[leaving];
  push_flow(out.head, in.tail, flow);
  push_flow(in.head, out.tail, flow);
  cut_value_[leaving] = 0;
  cut_value_[entering] = flow;
  hang(leaving, entering);
  return entering;
}

// Fills part_ with the smaller of the two trees that leaving joins, by growing both at once; true where that is its
// tail's. The nodes of part_ bear mark stamp_, those of the other side never do.
bool NetworkSimplex::take_smaller_side(std::uint32_t leaving) {
  const std::uint32_t tail_mark = ++stamp_;
  const std::uint32_t head_mark = ++stamp_;
  part_.assign(1, arcs_[leaving].tail);
  other_part_.assign(1, arcs_[leaving].head);
  mark_[part_[0]] = tail_mark;
  mark_[other_part_[0]] = head_mark;
  const auto grow = [&](std::vector<std::uint32_t>& part, std::size_t i, std::uint32_t mark) {
    for (End end = first_end_[part[i]]; end != kNone; end = next_end_[end]) {
      ++steps_;
      const std::uint32_t node = node_of(end ^ 1u);
      if (end / 2 == leaving || mark_[node] == mark) continue;
      mark_[node] = mark;
      part.push_back(node);
    }
  };
  for (std::size_t i = 0;; ++i) {
    if (i == part_.size()) return true;
    if (i == other_part_.size()) {
      std::swap(part_, other_part_);
      return false;
    }
    grow(part_, i, tail_mark);
    grow(other_part_, i, head_mark);
  }
}

// The arc of least slack from the head's side of the arc that leaves to its tail's side.
std::uint32_t NetworkSimplex::find_entering(bool tail_side) {
  const std::uint32_t mark = mark_[part_[0]];
  std::uint32_t best = kNone;
  std::int32_t best_slack = std::numeric_limits<std::int32_t>::max();
  for (const std::uint32_t node : part_) {
    for (const std::uint32_t arc : tail_side ? in_.of(node) : out_.of(node)) {
      ++steps_;
      if (mark_[tail_side ? arcs_[arc].tail : arcs_[arc].head] == mark || slack(arc) >= best_slack) continue;
      best = arc;
      best_slack = slack(arc);
      if (best_slack == 0) return best;
    }
  }
  VIZD_ASSERT(best != kNone);  // a negative cut value says that there is one
  return best;
}

// Adds flow to the cut values on the tree's path between two nodes of one tree.
void NetworkSimplex::push_flow(std::uint32_t from, std::uint32_t to, std::int64_t flow) {
  const std::uint32_t from_mark = ++seen_stamp_;
  const std::uint32_t to_mark = ++seen_stamp_;
  const auto up = [&](std::uint32_t node) { return node_of(parent_[node] ^ 1u); };
  // Both walk up in turn; the first node that the other has seen already is the common ancestor.
  std::uint32_t a = from;
  std::uint32_t b = to;
  std::uint32_t meeting = kNone;
  for (bool a_moves = true; meeting == kNone; a_moves = !a_moves) {
    std::uint32_t& node = a_moves ? a : b;
    if (node == kNone) continue;
    ++steps_;
    if (seen_[node] == (a_moves ? to_mark : from_mark)) {
      meeting = node;
      break;
    }
    seen_[node] = a_moves ? from_mark : to_mark;
    node = parent_[node] == kNone ? kNone : up(node);
  }
  for (std::uint32_t node = from; node != meeting; node = up(node)) {
    cut_value_[parent_[node] / 2] += (parent_[node] & 1u) == 0 ? flow : -flow;
  }
  for (std::uint32_t node = to; node != meeting; node = up(node)) {
    cut_value_[parent_[node] / 2] += (parent_[node] & 1u) == 0 ? -flow : flow;
  }
}

// Swaps the two arcs in the tree: the subtree under leaving hangs on entering from now on, so the parents between are
// turned round.
void NetworkSimplex::hang(std::uint32_t leaving, std::uint32_t entering) {
  const End top = parent_[arcs_[leaving].tail] == 2 * leaving ? 2 * leaving : 2 * leaving + 1;
  // Entering leads from the head's side to the tail's.
  End end = (top & 1u) == 0 ? 2 * entering + 1 : 2 * entering;
  for (;;) {
    const std::uint32_t node = node_of(end);
    const End old = parent_[node];
    parent_[node] = end;
    ++steps_;
    if (old == top) break;
    end = old ^ 1u;
  }
  unlink(leaving);
  link(entering);
}

}  // namespace vizd
