// RankReduction: leaves out the nodes whose best rank is a fixed distance from a neighbour's, so that the network
// simplex has a smaller problem with the same optimum. Internal to layout; one thread.
//
// A node with one source only, by arcs as heavy as all those to its users together, may as well lie right behind that
// source: moving it there costs nothing, and is always allowed. So it is joined with the source, and its arcs start
// there, longer by the distance. The same holds the other way round. Leaves, chains and most of what compilers make
// (one user each) fall to this; applied until nothing is left to join, it halves real graphs and more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/network_simplex.h"

namespace vizd {

class RankReduction {
 public:
  // topological has every node, tails before heads.
  RankReduction(std::vector<RankArc> arcs, std::span<const std::uint32_t> topological);

  // The arcs that remain, with nodes numbered anew; tails have smaller numbers than heads.
  std::span<const RankArc> arcs() const { return reduced_arcs_; }
  std::span<const std::uint32_t> nodes() const { return kept_; }  // by new number: the old one

  // The ranks of all nodes from those that remain.
  std::vector<std::int32_t> expand(std::span<const std::int32_t> reduced_ranks) const;

 private:
  using End = std::uint32_t;  // 2 * arc at its tail, 2 * arc + 1 at its head

  struct Joined {
    std::uint32_t node;
    std::uint32_t to;
    std::int32_t distance;  // rank[node] - rank[to]
  };

  std::uint32_t node_of(End end) const { return (end & 1u) != 0 ? arcs_[end / 2].head : arcs_[end / 2].tail; }
  std::size_t list_of(std::uint32_t node, bool head) const { return 2 * std::size_t{node} + (head ? 1 : 0); }
  void link(End end);
  void unlink(End end);
  bool join(std::uint32_t node);
  void move_arc(End end, std::uint32_t to, std::int32_t longer);
  std::uint32_t find_parallel(std::uint32_t arc) const;

  std::vector<RankArc> arcs_;
  std::vector<End> next_, prev_;      // by end
  std::vector<End> first_;            // by list: those a node is the tail of, those it is the head of
  std::vector<std::uint32_t> count_;  // by list
  std::vector<std::int64_t> weight_;  // by list
  std::vector<std::uint32_t> worklist_;
  std::vector<Joined> joined_;  // in order of joining
  std::vector<std::uint32_t> kept_;
  std::vector<RankArc> reduced_arcs_;
};

}  // namespace vizd
