// Crossing reduction: sweeps that put each item at the mean of its neighbours (barycenter), and swaps of neighbouring
// items where that saves crossings. Keeps the best order seen. Internal to layout; one thread.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "layout/layer_order.h"
#include "layout/layered_graph.h"

namespace vizd {

// Decides which of two items of a layer with the same mean goes above: each in turn, which finds more orders, or the
// one that started above, which keeps a layout near an earlier one at little cost (README.md).
enum class Ties { kTurn, kAsStarted };

class CrossingReduction {
 public:
  CrossingReduction(const LayeredGraph& layered, LayerOrder start, Ties ties);

  // Until a few rounds in a row have found nothing better, the steps (looks at a line) are used up, or it is stopped.
  void run(std::uint64_t steps, const std::stop_token& stop);
  // Swaps alone: no item goes far from where it started.
  void run_swaps(std::uint64_t steps, const std::stop_token& stop);

  const LayerOrder& best() const { return best_; }
  std::uint64_t best_crossings() const { return best_crossings_; }

 private:
  struct Key {
    float mean;
    float tie;
    std::uint32_t item;
  };
  // An item's lines to both sides, as a range of ends_: first those to the left, then to the right, each ascending.
  struct Ends {
    std::uint32_t first;
    std::uint32_t middle;
    std::uint32_t last;
  };

  bool exhausted() const { return steps_ >= max_steps_ || stop_.stop_requested(); }
  void keep_if_better(std::uint64_t crossings);
  std::uint64_t count_all();
  void sweep(bool to_right, bool turn_ties);
  void sort_layer(std::uint32_t layer, const Adjacency& neighbours, bool turn_ties);
  std::uint64_t swap_until_settled(std::uint64_t crossings);
  std::uint64_t swap_neighbours(bool swap_equal);
  std::uint64_t swap_in_layer(std::uint32_t layer, bool swap_equal);
  void collect_ends(std::uint32_t layer);
  std::uint64_t crossings(const Ends& above, const Ends& below) const;

  const LayeredGraph& layered_;
  Ties ties_;
  std::vector<float> start_place_;  // by item, from 0 to 1 down its layer; where ties go by it
  LayerOrder order_;
  LayerOrder best_;
  std::uint64_t best_crossings_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t max_steps_ = 0;
  std::stop_token stop_;

  std::vector<Key> keys_;
  std::vector<std::uint32_t> ends_;
  std::vector<Ends> ends_of_;           // by position in the layer at hand
  std::vector<std::uint64_t> changed_;  // by layer: when its order last changed
  std::vector<std::uint64_t> swapped_;  // by layer: when its neighbours were last tried
  std::uint64_t clock_ = 1;
};

}  // namespace vizd
