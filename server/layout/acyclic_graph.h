// AcyclicGraph: the graph that is laid out. One arc for all edges that join the same two nodes, back edges turned
// round, loops and edges that name no node left out. Internal to layout; plain data, never changed once built.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/adjacency.h"
#include "layout/layout.h"

namespace vizd {

inline constexpr std::uint32_t kNoArc = 0xFFFFFFFFu;
inline constexpr std::uint32_t kBackPort = 0xFFFFFFFFu;

// Goes right: rank[tail] < rank[head].
struct Arc {
  std::uint32_t tail = 0;
  std::uint32_t head = 0;
  std::uint32_t port = 0;  // the first at which head reads tail; kBackPort for a back edge
};

struct AcyclicGraph {
  std::uint32_t node_count = 0;
  std::vector<Arc> arcs;                   // by head, and for one head in operand order
  Adjacency in;                            // arcs by head, in operand order
  Adjacency out;                           // arcs by tail
  std::vector<std::uint32_t> topological;  // every node, tails before heads
  std::vector<std::uint32_t> arc_of_edge;  // kNoArc where the edge is left out
  std::vector<bool> reversed;              // by edge
};

AcyclicGraph make_acyclic(std::uint32_t node_count, std::span<const LayoutEdge> edges);

}  // namespace vizd
