// Replay lanes: the steps and replays of a capture's graphs as lanes of their own, to be drawn beside the lanes of
// their work: a replay as a run of its stream; below it what it is of, from the layer to the operator; holes where a
// record is missing. They are a capture by themselves, so no figure of the trace counts them. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {

// Begins the name of a span of which all is a guess.
inline constexpr std::string_view kAbout = "about ";
// The category of a hole.
inline constexpr std::string_view kNotRecordedCategory = "not recorded";

// Adds them to a capture that is empty, on the clock of the one that the replays are of, under tracks of the same
// names. Returns by track of it the lane that it is drawn over; kNoId: none.
std::vector<std::uint32_t> add_replay_lanes(const Capture& of, std::span<const GraphReplays> ranks, Capture& lanes);

}  // namespace vizd
