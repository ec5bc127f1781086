#include "layout/heights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "layout/isotonic.h"

namespace vizd {
namespace {

// Passes over the layers, to the right and to the left in turn; fewer for large graphs, whose layers are narrow beside
// their number and settle soon.
constexpr std::size_t kMaxPasses = 16;
constexpr std::size_t kMinPasses = 4;
constexpr std::size_t kPassedItems = 1'200'000;
constexpr int kStraightenPasses = 2;

// Long lines should be straight before short ones are: Gansner et al. 1993 weigh 8, 2, 1.
constexpr double kPieceToPiece = 8;
constexpr double kPieceToNode = 2;
constexpr double kNodeToNode = 1;
constexpr double kAnchor = 10;
constexpr double kNoPull = 1e-3;  // an item that nothing pulls stays where it is, if its neighbours let it

constexpr std::uint32_t kNoLine = 0xFFFFFFFFu;

constexpr float kLineGapShare = 0.5F;  // of the gap between nodes, where a line is concerned

class Placement {
 public:
  Placement(const LayeredGraph& layered, const LayerOrder& order, std::span<const LayoutNode> nodes,
            std::span<const float> entry_offset_px, const LayoutOptions& options)
      : layered_(layered), order_(order), nodes_(nodes), entry_offset_px_(entry_offset_px), options_(options) {
    const auto& lines = layered.lines;
    left_ = group_by(layered.item_count(), lines.size(), [&](std::uint32_t line) { return lines[line].to; });
    right_ = group_by(layered.item_count(), lines.size(), [&](std::uint32_t line) { return lines[line].from; });
    y_.resize(layered.item_count());
    double middle = 0;
    for (const auto& layer : order.layers) middle = stack(layer, middle);
  }

  std::vector<double> run() {
    const std::size_t passes = kPassedItems / (layered_.item_count() + layered_.lines.size());
    for (std::size_t pass = 0; pass < std::clamp(passes, kMinPasses, kMaxPasses); ++pass) sweep(pass % 2 == 0);
    for (int pass = 0; pass < kStraightenPasses; ++pass) straighten();
    double top = INFINITY;
    for (std::uint32_t item = 0; item < y_.size(); ++item) top = std::min(top, y_[item] - height(item) / 2);
    for (double& y : y_) y -= top;
    return std::move(y_);
  }

 private:
  double height(std::uint32_t item) const { return layered_.is_node(item) ? double{nodes_[item].height_px} : 0; }

  // The least distance between the centres of two neighbours in a layer.
  double distance(std::uint32_t above, std::uint32_t below) const {
    const bool nodes = layered_.is_node(above) && layered_.is_node(below);
    const float gap = nodes ? options_.node_gap_px : options_.node_gap_px * kLineGapShare;
    return (height(above) + height(below)) / 2 + double{gap};
  }

  bool anchored(std::uint32_t item) const {
    return layered_.is_node(item) && !options_.anchor_y_px.empty() && !std::isnan(options_.anchor_y_px[item]);
  }

  // A first height: one under the other, around the middle, or as near to the anchors as the stack as a whole can be.
  // Returns the stack's middle.
  double stack(const std::vector<std::uint32_t>& layer, double middle) {
    double y = 0;
    double to_anchors = 0;
    double anchors = 0;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) y += distance(layer[i - 1], layer[i]);
      y_[layer[i]] = y;
      if (!anchored(layer[i])) continue;
      to_anchors += double{options_.anchor_y_px[layer[i]]} - y;
      ++anchors;
    }
    const double top = anchors > 0 ? to_anchors / anchors : middle - y / 2;
    for (const std::uint32_t item : layer) y_[item] += top;
    return top + y / 2;
  }

  void sweep(bool to_right) {
    const std::size_t count = order_.layers.size();
    for (std::size_t i = 0; i < count; ++i) place(order_.layers[to_right ? i : count - 1 - i]);
  }

  void place(const std::vector<std::uint32_t>& layer) {
    points_.clear();
    double offset = 0;  // how far below the first item this one lies at least
    offsets_.clear();
    for (std::size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) offset += distance(layer[i - 1], layer[i]);
      offsets_.push_back(offset);
      IsotonicPoint point = pull(layer[i]);
      point.wanted -= offset;
      points_.push_back(point);
    }
    values_.resize(points_.size());
    isotonic_regression(points_, values_);
    for (std::size_t i = 0; i < layer.size(); ++i) y_[layer[i]] = values_[i] + offsets_[i];
  }

  IsotonicPoint pull(std::uint32_t item) const {
    double sum = y_[item] * kNoPull;
    double weight = kNoPull;
    const auto add = [&](double wanted, double with) {
      sum += wanted * with;
      weight += with;
    };
    for (const std::uint32_t line : left_.of(item)) {
      add(y_[layered_.lines[line].from] - entry_offset(line), strength(line));
    }
    for (const std::uint32_t line : right_.of(item)) {
      add(y_[layered_.lines[line].to] + entry_offset(line), strength(line));
    }
    if (anchored(item)) add(double{options_.anchor_y_px[item]}, kAnchor);
    return {sum / weight, weight};
  }

  // Least squares leaves lines almost level; what has room is now made quite level. Lines that prefer each other form
  // chains, a chain's trunk first of all; along a chain, as many items in a row as have a common height take it.
  void straighten() {
    std::vector<std::uint32_t> previous(y_.size());
    std::vector<std::uint32_t> next(y_.size());
    for (std::uint32_t item = 0; item < y_.size(); ++item) {
      previous[item] = flattest(left_.of(item));
      next[item] = flattest(right_.of(item));
    }
    for (std::uint32_t item = 0; item < y_.size(); ++item) {
      if (next[item] != kNoLine && previous[layered_.lines[next[item]].to] != next[item]) next[item] = kNoLine;
    }
    for (const auto& layer : order_.layers) {
      for (const std::uint32_t item : layer) {
        const bool starts = previous[item] == kNoLine || next[layered_.lines[previous[item]].from] != previous[item];
        if (starts && next[item] != kNoLine) straighten_chain(item, next);
      }
    }
  }

  std::uint32_t flattest(std::span<const std::uint32_t> lines) const {
    std::uint32_t best = kNoLine;
    double least = INFINITY;
    for (const std::uint32_t line : lines) {
      const auto [from, to, arc] = layered_.lines[line];
      const double slope = arc == kNoArc ? -1 : std::abs(y_[to] + entry_offset(line) - y_[from]);
      if (slope >= least) continue;
      least = slope;
      best = line;
    }
    return best;
  }

  void straighten_chain(std::uint32_t item, const std::vector<std::uint32_t>& next) {
    double rise = 0;  // from the height of the run to that of its item at hand
    double low = -INFINITY;
    double high = INFINITY;
    double sum = 0;
    run_.clear();
    for (;;) {
      const auto [least, most] = room(item);
      const double new_low = std::max(low, least - rise);
      const double new_high = std::min(high, most - rise);
      if (new_low > new_high) {
        level(std::clamp(sum / static_cast<double>(run_.size()), low, high));
        rise = 0;
        low = least;
        high = most;
        sum = 0;
      } else {
        low = new_low;
        high = new_high;
      }
      sum += y_[item] - rise;
      run_.push_back({item, rise});
      if (next[item] == kNoLine) break;
      rise -= entry_offset(next[item]);
      item = layered_.lines[next[item]].to;
    }
    level(std::clamp(sum / static_cast<double>(run_.size()), low, high));
  }

  // Where an item's centre may lie while its neighbours in the layer stay.
  std::pair<double, double> room(std::uint32_t item) const {
    const std::vector<std::uint32_t>& layer = order_.layers[layered_.layer[item]];
    const std::uint32_t position = order_.position[item];
    std::pair<double, double> out(-INFINITY, INFINITY);
    if (position > 0) out.first = y_[layer[position - 1]] + distance(layer[position - 1], item);
    if (position + 1 < layer.size()) out.second = y_[layer[position + 1]] - distance(item, layer[position + 1]);
    // Rounding may leave a hair less room than the item already has.
    return {std::min(out.first, y_[item]), std::max(out.second, y_[item])};
  }

  void level(double y) {
    for (const auto& [item, rise] : run_) y_[item] = y + rise;
    run_.clear();
  }

  double entry_offset(std::uint32_t line) const {
    const std::uint32_t arc = layered_.lines[line].arc;
    return arc == kNoArc ? 0 : double{entry_offset_px_[arc]};
  }

  double strength(std::uint32_t line) const {
    const int nodes =
        (layered_.is_node(layered_.lines[line].from) ? 1 : 0) + (layered_.is_node(layered_.lines[line].to) ? 1 : 0);
    return nodes == 0 ? kPieceToPiece : nodes == 1 ? kPieceToNode : kNodeToNode;
  }

  const LayeredGraph& layered_;
  const LayerOrder& order_;
  std::span<const LayoutNode> nodes_;
  std::span<const float> entry_offset_px_;
  const LayoutOptions& options_;
  Adjacency left_;   // lines by item to their right
  Adjacency right_;  // lines by item to their left
  std::vector<double> y_;
  std::vector<double> offsets_;
  std::vector<IsotonicPoint> points_;
  std::vector<double> values_;
  std::vector<std::pair<std::uint32_t, double>> run_;  // items, and how far each lies below the run's height
};

}  // namespace

std::vector<double> assign_heights(const LayeredGraph& layered, const LayerOrder& order,
                                   std::span<const LayoutNode> nodes, std::span<const float> entry_offset_px,
                                   const LayoutOptions& options) {
  if (nodes.empty()) return {};
  return Placement(layered, order, nodes, entry_offset_px, options).run();
}

}  // namespace vizd
