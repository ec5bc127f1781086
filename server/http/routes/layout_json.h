// Pieces of the `layout` event (API.md) that every layout on the wire is made of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/json_writer.h"
#include "layout/layout.h"
#include "rewrite/history.h"

namespace vizd {

// What a layout is of: an epoch of the pass, such an epoch with more time or from top to bottom, a state by itself, a
// part of a state.
enum class LayoutKind { kEpoch, kBetter, kDown, kState, kView };

// number: of the epoch, or the state.
struct LayoutName {
  LayoutKind kind = LayoutKind::kEpoch;
  std::uint32_t number = 0;
};

// As members of the object that is open.
void write_name(JsonWriter& json, LayoutName name);

// Tenths of a pixel are finer than any screen.
void write_px(JsonWriter& json, float value);

// A route as the page draws it: its points from the right side of the box it leaves, which the page knows by itself, to
// its end on the left side of the box it enters. A back edge leaves its user and enters its source.
void write_way(JsonWriter& json, std::span<const float> points_px, const EdgeRoute& route);

// By edge: its number on the wire. Edges are sent in the order of their birth, those of one state as they lie.
std::vector<std::uint32_t> edge_numbers(const History& history);

// The share of cut edges among those drawn, in thousandths.
double cut_share(std::size_t cut, std::size_t drawn);

}  // namespace vizd
