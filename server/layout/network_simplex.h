// NetworkSimplex: ranks of least total weighted span, sum of weight * (rank[head] - rank[tail]), where each arc keeps
// rank[head] - rank[tail] >= length. After Gansner, Koutsofios, North and Vo (1993), with the tree kept so that a pivot
// costs only the smaller of the two parts that it moves. Feasible at any time. Internal to layout; one thread.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "layout/adjacency.h"
#include "layout/rank_arc.h"

namespace vizd {

class NetworkSimplex {
 public:
  // ranks are feasible. They are drawn together first, part by part, until tight arcs span each component.
  NetworkSimplex(std::span<const RankArc> arcs, std::vector<std::int32_t> ranks);

  // Pivots until the ranks are optimal (true), or until it has looked at steps arcs or is stopped (false).
  bool run(std::uint64_t steps, const std::stop_token& stop);

  const std::vector<std::int32_t>& ranks() const { return ranks_; }

 private:
  // One end of an arc: 2 * arc at its tail, 2 * arc + 1 at its head. A node's ends that are in the tree form a list.
  using End = std::uint32_t;

  std::uint32_t node_of(End end) const { return (end & 1u) != 0 ? arcs_[end / 2].head : arcs_[end / 2].tail; }
  std::int32_t slack(std::uint32_t arc) const {
    return ranks_[arcs_[arc].head] - ranks_[arcs_[arc].tail] - arcs_[arc].length;
  }

  void link(std::uint32_t arc);
  void unlink(std::uint32_t arc);
  void root_forest();
  std::size_t find_leaving();
  std::uint32_t pivot(std::uint32_t leaving);
  bool take_smaller_side(std::uint32_t leaving);
  std::uint32_t find_entering(bool tail_side);
  void push_flow(std::uint32_t from, std::uint32_t to, std::int64_t flow);
  void hang(std::uint32_t leaving, std::uint32_t entering);

  std::span<const RankArc> arcs_;
  std::vector<std::int32_t> ranks_;
  Adjacency in_;
  Adjacency out_;

  std::vector<std::uint32_t> tree_;       // the forest's arcs
  std::vector<std::int64_t> cut_value_;   // by arc, for those in the forest: what a longer arc would save, negated
  std::vector<End> parent_;               // by node: its own end of the arc to its parent
  std::vector<End> first_end_;            // by node
  std::vector<End> next_end_, prev_end_;  // by end
  std::size_t cursor_ = 0;                // where in tree_ the search for a leaving arc goes on
  std::uint64_t steps_ = 0;

  std::vector<std::uint32_t> part_;  // the smaller side of the leaving arc
  std::vector<std::uint32_t> other_part_;
  std::vector<std::uint32_t> mark_;  // by node: the side that reached it in the pivot numbered by stamp_
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> seen_;  // by node: marks the walks to a common ancestor
  std::uint32_t seen_stamp_ = 0;
};

}  // namespace vizd
