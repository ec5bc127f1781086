// Draws feasible ranks together until tight arcs (rank[head] - rank[tail] == length) span every component: the first
// basis of the network simplex, and a fair layering by itself. Internal to layout; one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/adjacency.h"
#include "layout/rank_arc.h"

namespace vizd {

// Moves ranks, which stay feasible; returns the arcs of a spanning forest, all tight. The smallest part moves first, to
// the side that shortens more weight: O((V + E) log V). in and out hold arcs by head and by tail.
std::vector<std::uint32_t> tighten(std::span<const RankArc> arcs, const Adjacency& in, const Adjacency& out,
                                   std::vector<std::int32_t>& ranks);

}  // namespace vizd
