// Where the nodes of a pass lie: its history as the union graph that layout/union_layout.h takes.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "derived/turned_layout.h"
#include "layout/union_layout.h"
#include "rewrite/history.h"

namespace vizd {

// Beyond so many boxes a layout is coarse: there at once, and to be made better when asked (improve_layouts).
inline constexpr std::size_t kCoarseBoxes = 30'000;
inline bool is_coarse(std::size_t boxes) { return boxes > kCoarseBoxes; }
// How much work a graph of so many boxes gets.
LayoutOptions layout_options(std::size_t boxes);

// Which way a graph is read from its sources to its users. Wide windows suit the one, tall graphs of wide boxes the
// other.
enum class Direction { kRight, kDown };

// Lays out the states from to to, both inclusive, as one epoch. By node and edge of the history. Any thread.
EpochLayout lay_out_states(const History& history, std::uint32_t from, std::uint32_t to, std::stop_token stop,
                           Direction direction = Direction::kRight);

// The epochs of a pass from top to bottom. Edges leave the lower side of their source's box and enter the upper side of
// their user's. Any thread.
std::vector<EpochLayout> lay_out_down(const History& history, const std::vector<EpochLayout>& to_the_right,
                                      std::stop_token stop);

// About how large such a layout would be, without making it: as high as its layers, as wide as the widest of them.
LayoutNode size_down(const EpochLayout& to_the_right);

// Lays out the whole pass in its epochs; progress is called before each, on the same thread. Any thread.
std::vector<EpochLayout> lay_out_pass(const History& history,
                                      const std::function<void(std::size_t done, std::size_t of)>& progress,
                                      std::stop_token stop);

// The same layouts again with a hundred times the work, each going on from what it was. Only those that a budget had
// cut short are done again; the others are copied. Any thread.
std::vector<EpochLayout> improve_layouts(const History& history, const std::vector<EpochLayout>& layouts,
                                         const std::function<void(std::size_t done, std::size_t of)>& progress,
                                         std::stop_token stop);

}  // namespace vizd
