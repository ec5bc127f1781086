#include "layout/crossing_reduction.h"

#include <algorithm>
#include <utility>

namespace vizd {
namespace {

constexpr int kFirstSweeps = 8;  // before the first swaps
constexpr int kRoundSweeps = 2;  // of each later round
constexpr int kMaxSwapPasses = 24;
constexpr int kPatience = 4;  // rounds without a better order before the end

}  // namespace

CrossingReduction::CrossingReduction(const LayeredGraph& layered, LayerOrder start, Ties ties)
    : layered_(layered),
      ties_(ties),
      order_(std::move(start)),
      changed_(order_.layers.size(), clock_),
      swapped_(order_.layers.size(), 0) {
  if (ties_ == Ties::kAsStarted) {
    start_place_.resize(layered_.item_count());
    for (const auto& layer : order_.layers) {
      for (const std::uint32_t item : layer) {
        start_place_[item] = static_cast<float>(order_.position[item]) / static_cast<float>(layer.size());
      }
    }
  }
  best_ = order_;
  best_crossings_ = count_all();
}

void CrossingReduction::run(std::uint64_t steps, const std::stop_token& stop) {
  max_steps_ = steps_ + steps;
  stop_ = stop;
  int idle_rounds = 0;
  int sweeps = 0;
  for (int round = 0; idle_rounds < kPatience && best_crossings_ > 0 && !exhausted(); ++round) {
    const std::uint64_t before = best_crossings_;
    const int last = sweeps + (round == 0 ? kFirstSweeps : kRoundSweeps);
    std::uint64_t now = 0;
    for (; sweeps < last && !exhausted(); ++sweeps) {
      sweep(sweeps % 2 == 1, sweeps / 2 % 2 == 1);
      now = count_all();
      keep_if_better(now);
    }
    // Round 0 goes on from the best; later ones from where the sweeps lead, to get away from the best known.
    if (round == 0) {
      order_ = best_;
      now = best_crossings_;
      ++clock_;
      std::fill(changed_.begin(), changed_.end(), clock_);
    }
    keep_if_better(swap_until_settled(now));
    idle_rounds = best_crossings_ < before ? 0 : idle_rounds + 1;
  }
}

void CrossingReduction::run_swaps(std::uint64_t steps, const std::stop_token& stop) {
  max_steps_ = steps_ + steps;
  stop_ = stop;
  order_ = best_;
  keep_if_better(swap_until_settled(best_crossings_));
}

void CrossingReduction::keep_if_better(std::uint64_t crossings) {
  if (crossings >= best_crossings_) return;
  best_crossings_ = crossings;
  best_ = order_;
}

std::uint64_t CrossingReduction::count_all() {
  std::uint64_t sum = 0;
  for (std::uint32_t layer = 0; layer < order_.layers.size(); ++layer) {
    sum += count_line_crossings(layered_, order_, layer);
  }
  steps_ += layered_.lines.size();
  return sum;
}

void CrossingReduction::sweep(bool to_right, bool turn_ties) {
  const auto layers = static_cast<std::uint32_t>(order_.layers.size());
  for (std::uint32_t i = 1; i < layers; ++i) {
    if (to_right) {
      sort_layer(i, layered_.left, turn_ties);
    } else {
      sort_layer(layers - 1 - i, layered_.right, turn_ties);
    }
  }
  ++clock_;
  std::fill(changed_.begin(), changed_.end(), clock_);
}

// Sorts a layer's items by the mean position of their neighbours; an item without any keeps its place.
void CrossingReduction::sort_layer(std::uint32_t layer, const Adjacency& neighbours, bool turn_ties) {
  std::vector<std::uint32_t>& items = order_.layers[layer];
  keys_.clear();
  for (const std::uint32_t item : items) {
    const auto list = neighbours.of(item);
    steps_ += list.size();
    if (list.empty()) continue;
    std::uint64_t sum = 0;
    for (const std::uint32_t neighbour : list) sum += order_.position[neighbour];
    const float tie = ties_ == Ties::kAsStarted ? start_place_[item] : 0;
    keys_.push_back({static_cast<float>(sum) / static_cast<float>(list.size()), tie, item});
  }
  steps_ += items.size();
  if (turn_ties && ties_ == Ties::kTurn) std::reverse(keys_.begin(), keys_.end());
  std::stable_sort(keys_.begin(), keys_.end(),
                   [](const Key& a, const Key& b) { return a.mean != b.mean ? a.mean < b.mean : a.tie < b.tie; });
  auto key = keys_.begin();
  for (std::uint32_t& item : items) {
    if (!neighbours.of(item).empty()) item = (key++)->item;
  }
  order_.renumber(layer);
}

// Swaps neighbours in passes, every other one swapping equals too, until two in a row save nothing. Takes the crossings
// there are and returns those left.
std::uint64_t CrossingReduction::swap_until_settled(std::uint64_t crossings) {
  for (int pass = 0; pass < kMaxSwapPasses && !exhausted(); ++pass) {
    const std::uint64_t saved = swap_neighbours(pass % 2 == 1);
    crossings -= saved;
    if (saved == 0 && pass % 2 == 1) break;
  }
  return crossings;
}

// One pass over the layers that changed, or lie beside one that did, since their last. Returns the crossings saved.
std::uint64_t CrossingReduction::swap_neighbours(bool swap_equal) {
  const auto layers = static_cast<std::uint32_t>(order_.layers.size());
  std::uint64_t saved = 0;
  for (std::uint32_t layer = 0; layer < layers && !exhausted(); ++layer) {
    std::uint64_t changed = changed_[layer];
    if (layer > 0) changed = std::max(changed, changed_[layer - 1]);
    if (layer + 1 < layers) changed = std::max(changed, changed_[layer + 1]);
    if (changed <= swapped_[layer] && !swap_equal) continue;
    saved += swap_in_layer(layer, swap_equal);
    swapped_[layer] = clock_;
  }
  return saved;
}

std::uint64_t CrossingReduction::swap_in_layer(std::uint32_t layer, bool swap_equal) {
  std::vector<std::uint32_t>& items = order_.layers[layer];
  if (items.size() < 2) return 0;
  collect_ends(layer);
  std::uint64_t saved = 0;
  bool changed = false;
  bool again = true;
  while (again && !exhausted()) {
    again = false;
    steps_ += items.size();
    for (std::size_t i = 0; i + 1 < items.size(); ++i) {
      const std::uint64_t as_is = crossings(ends_of_[i], ends_of_[i + 1]);
      if (as_is == 0 && !swap_equal) continue;
      const std::uint64_t swapped = crossings(ends_of_[i + 1], ends_of_[i]);
      steps_ += 2;
      if (swapped > as_is || (swapped == as_is && !swap_equal)) continue;
      std::swap(items[i], items[i + 1]);
      std::swap(ends_of_[i], ends_of_[i + 1]);
      changed = true;
      if (swapped < as_is) {
        saved += as_is - swapped;
        again = true;
      }
    }
    swap_equal = false;  // once only: ties would swap for ever
  }
  if (changed) {
    order_.renumber(layer);
    changed_[layer] = ++clock_;
  }
  return saved;
}

void CrossingReduction::collect_ends(std::uint32_t layer) {
  ends_.clear();
  ends_of_.clear();
  const auto collect = [&](std::span<const std::uint32_t> neighbours) {
    const std::size_t first = ends_.size();
    for (const std::uint32_t neighbour : neighbours) ends_.push_back(order_.position[neighbour]);
    std::sort(ends_.begin() + static_cast<std::ptrdiff_t>(first), ends_.end());
    return static_cast<std::uint32_t>(ends_.size());
  };
  for (const std::uint32_t item : order_.layers[layer]) {
    const auto first = static_cast<std::uint32_t>(ends_.size());
    const std::uint32_t middle = collect(layered_.left.of(item));
    const std::uint32_t last = collect(layered_.right.of(item));
    ends_of_.push_back({first, middle, last});
    steps_ += last - first + 1;
  }
}

// The crossings between the lines of two neighbours of one layer: pairs where the upper one's line ends lower.
std::uint64_t CrossingReduction::crossings(const Ends& above, const Ends& below) const {
  const auto inversions = [&](std::uint32_t a, std::uint32_t a_end, std::uint32_t b, std::uint32_t b_end) {
    const std::uint32_t b_first = b;
    std::uint64_t sum = 0;
    if (a == a_end || b == b_end || ends_[a_end - 1] <= ends_[b]) return sum;
    for (; a < a_end; ++a) {
      while (b < b_end && ends_[b] < ends_[a]) ++b;
      sum += b - b_first;
    }
    return sum;
  };
  return inversions(above.first, above.middle, below.first, below.middle) +
         inversions(above.middle, above.last, below.middle, below.last);
}

}  // namespace vizd
