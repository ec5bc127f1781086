// Ranks: the layer of each node, sources left of users. Internal to layout; one thread.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "layout/acyclic_graph.h"

namespace vizd {

struct RankOptions {
  std::uint64_t steps = 0;               // arcs that the network simplex may look at
  std::uint32_t max_fan_out = 0;         // see LayoutOptions
  std::span<const std::uint32_t> start;  // empty, or by node: a rank to start from, or kNoRank
  std::stop_token stop;
};

struct Ranks {
  std::vector<std::uint32_t> of;  // by node; each component starts at 0
  std::uint32_t count = 0;        // 1 + the greatest rank; 0 without nodes
  bool optimal = false;           // no ranks have a lower rank_cost()
};

// With no steps the ranks are
// feasible and tight (see tight_forest.h) but cost more.
Ranks assign_ranks(const AcyclicGraph& graph, const RankOptions& options);

// The cost that assign_ranks makes least.
std::int64_t rank_cost(const AcyclicGraph& graph, std::span<const std::uint32_t> ranks, std::uint32_t max_fan_out);

}  // namespace vizd
