#include "layout/heights.h"

#include <algorithm>
#include <cmath>

#include "layout/isotonic.h"

namespace vizd {
namespace {

constexpr int kOneSidedPasses = 4;
constexpr int kTwoSidedPasses = 6;

// Long lines should be straight before short ones are: Gansner et al. 1993 weigh 8, 2, 1.
constexpr double kPieceToPiece = 8;
constexpr double kPieceToNode = 2;
constexpr double kNodeToNode = 1;
constexpr double kAnchor = 20;
constexpr double kNoPull = 1e-3;  // an item that nothing pulls stays where it is, if its neighbours let it

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
    for (const auto& layer : order.layers) stack(layer);
  }

  std::vector<double> run() {
    for (int pass = 0; pass < kOneSidedPasses; ++pass) sweep(pass % 2 == 0, false);
    for (int pass = 0; pass < kTwoSidedPasses; ++pass) sweep(pass % 2 == 0, true);
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

  // A first height: one under the other, around 0.
  void stack(const std::vector<std::uint32_t>& layer) {
    double y = 0;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) y += distance(layer[i - 1], layer[i]);
      y_[layer[i]] = y;
    }
    for (const std::uint32_t item : layer) y_[item] -= y / 2;
  }

  void sweep(bool to_right, bool two_sided) {
    const std::size_t count = order_.layers.size();
    for (std::size_t i = 0; i < count; ++i) {
      place(order_.layers[to_right ? i : count - 1 - i], to_right || two_sided, !to_right || two_sided);
    }
  }

  void place(const std::vector<std::uint32_t>& layer, bool pull_left, bool pull_right) {
    points_.clear();
    double offset = 0;  // how far below the first item this one lies at least
    offsets_.clear();
    for (std::size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) offset += distance(layer[i - 1], layer[i]);
      offsets_.push_back(offset);
      IsotonicPoint point = pull(layer[i], pull_left, pull_right);
      point.wanted -= offset;
      points_.push_back(point);
    }
    values_.resize(points_.size());
    isotonic_regression(points_, values_);
    for (std::size_t i = 0; i < layer.size(); ++i) y_[layer[i]] = values_[i] + offsets_[i];
  }

  IsotonicPoint pull(std::uint32_t item, bool pull_left, bool pull_right) const {
    double sum = y_[item] * kNoPull;
    double weight = kNoPull;
    const auto add = [&](double wanted, double with) {
      sum += wanted * with;
      weight += with;
    };
    if (pull_left) {
      for (const std::uint32_t line : left_.of(item)) {
        add(y_[layered_.lines[line].from] - entry_offset(line), strength(line));
      }
    }
    if (pull_right) {
      for (const std::uint32_t line : right_.of(item)) {
        add(y_[layered_.lines[line].to] + entry_offset(line), strength(line));
      }
    }
    if (layered_.is_node(item) && !options_.anchor_y_px.empty() && !std::isnan(options_.anchor_y_px[item])) {
      add(double{options_.anchor_y_px[item]}, kAnchor);
    }
    return {sum / weight, weight};
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
};

}  // namespace

std::vector<double> assign_heights(const LayeredGraph& layered, const LayerOrder& order,
                                   std::span<const LayoutNode> nodes, std::span<const float> entry_offset_px,
                                   const LayoutOptions& options) {
  if (nodes.empty()) return {};
  return Placement(layered, order, nodes, entry_offset_px, options).run();
}

}  // namespace vizd
