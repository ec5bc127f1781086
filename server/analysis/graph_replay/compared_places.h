// ComparedPlaces: two servers' runs place by place: what stands at the same place of a step, by phase, layer, piece,
// operator and how many such before it; and how long their decode steps took. Rows refer to the replays. Pure.
#pragma once

#include <optional>
#include <vector>

#include "analysis/graph_replay/named_replays.h"
#include "analysis/graph_replay/replay_rows.h"

namespace vizd {

struct ComparedPlaces {
  std::vector<PlaceRow> rows;  // the greatest change of all steps first
  // Averages over all decode steps among those chosen, to the next step; none if there are none.
  std::optional<double> a_decode_ns = {}, b_decode_ns = {};
};

// Compares the first rank of one with the first of the other, and so on.
ComparedPlaces compare_servers(const NamedReplays& a, const NamedReplays& b, const StepChoice& steps);

}  // namespace vizd
