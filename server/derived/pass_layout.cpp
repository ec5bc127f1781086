#include "derived/pass_layout.h"

#include <algorithm>
#include <utility>

#include "layout/label_size.h"

namespace vizd {
namespace {

// Owns what a UnionGraph points to.
struct UnionOfStates {
  std::uint32_t state_count = 0;
  std::vector<UnionNode> nodes;
  std::vector<UnionBox> boxes;
  std::vector<UnionEdge> edges;

  UnionGraph graph() const { return {state_count, nodes, boxes, edges}; }
};

UnionOfStates union_of(const History& history, Direction direction = Direction::kRight) {
  std::vector<LabelSize> label_sizes;
  label_sizes.reserve(history.labels.size());
  for (const std::string& label : history.labels) label_sizes.push_back(label_size(label));

  UnionOfStates out;
  out.state_count = history.state_count;
  out.nodes.reserve(history.nodes.size());
  for (const HistoryNode& node : history.nodes) {
    out.nodes.push_back({node.born, node.died, node.first_version, node.version_count});
  }
  out.boxes.reserve(history.versions.size());
  for (const NodeVersion& version : history.versions) {
    const LabelSize size = version.inlined ? LabelSize{} : label_sizes[version.label];
    const LayoutNode box = {size.width_px, size.height_px};
    out.boxes.push_back({version.state, direction == Direction::kDown ? turned(box) : box});
  }
  out.edges.reserve(history.edges.size());
  for (const HistoryEdge& edge : history.edges) {
    out.edges.push_back({static_cast<std::uint32_t>(index(edge.source)), static_cast<std::uint32_t>(index(edge.user)),
                         edge.port, edge.born, edge.died});
  }
  return out;
}

// Boxes that live in the states from to to.
std::size_t count_boxes(const History& history, std::uint32_t from, std::uint32_t to) {
  return static_cast<std::size_t>(std::ranges::count_if(history.nodes, [&](const HistoryNode& node) {
    const auto versions = std::span(history.versions).subspan(node.first_version, node.version_count);
    return node.born <= to && node.died > from && !std::ranges::all_of(versions, &NodeVersion::inlined);
  }));
}

void turn_epoch(EpochLayout& layout) {
  turn(layout);
  for (LayoutNode& size : layout.sizes) size = turned(size);
}

}  // namespace

// Short edges and a few rounds of each phase: 100,000 boxes in a third of a second.
LayoutOptions layout_options(std::size_t boxes) {
  LayoutOptions options;
  if (!is_coarse(boxes)) return options;
  options.max_edge_layers = 8;
  options.rank_steps /= 4;
  options.order_steps /= 2;
  return options;
}

EpochLayout lay_out_states(const History& history, std::uint32_t from, std::uint32_t to, std::stop_token stop,
                           Direction direction) {
  LayoutOptions options = layout_options(count_boxes(history, from, to));
  options.stop = std::move(stop);
  EpochLayout layout = lay_out_epoch(union_of(history, direction).graph(), {from, to}, nullptr, options);
  if (direction == Direction::kDown) turn_epoch(layout);
  return layout;
}

std::vector<EpochLayout> lay_out_down(const History& history, const std::vector<EpochLayout>& to_the_right,
                                      std::stop_token stop) {
  const UnionOfStates states = union_of(history, Direction::kDown);
  std::vector<EpochLayout> layouts;
  for (const EpochLayout& right : to_the_right) {
    LayoutOptions options = layout_options(count_boxes(history, right.epoch.from, right.epoch.to));
    options.stop = stop;
    layouts.push_back(lay_out_epoch(states.graph(), right.epoch, layouts.empty() ? nullptr : &layouts.back(), options));
  }
  for (EpochLayout& layout : layouts) turn_epoch(layout);
  return layouts;
}

LayoutNode size_down(const EpochLayout& to_the_right) {
  const LayoutOptions usual;
  std::vector<LayoutNode> layers;
  for (std::size_t node = 0; node < to_the_right.sizes.size(); ++node) {
    const LayoutNode& size = to_the_right.sizes[node];
    if (size.width_px == 0) continue;
    const std::size_t rank = to_the_right.rank[node];
    if (rank >= layers.size()) layers.resize(rank + 1);
    layers[rank].width_px += size.width_px + usual.node_gap_px;
    layers[rank].height_px = std::max(layers[rank].height_px, size.height_px + usual.layer_gap_px);
  }
  LayoutNode whole;
  for (const LayoutNode& layer : layers) {
    whole.width_px = std::max(whole.width_px, layer.width_px);
    whole.height_px += layer.height_px;
  }
  return whole;
}

std::vector<EpochLayout> lay_out_pass(const History& history,
                                      const std::function<void(std::size_t done, std::size_t of)>& progress,
                                      std::stop_token stop) {
  const UnionOfStates states = union_of(history);
  const std::vector<Epoch> epochs = find_epochs(states.graph());
  std::vector<EpochLayout> layouts;
  for (const Epoch epoch : epochs) {
    progress(layouts.size(), epochs.size());
    LayoutOptions options = layout_options(count_boxes(history, epoch.from, epoch.to));
    options.stop = stop;
    layouts.push_back(lay_out_epoch(states.graph(), epoch, layouts.empty() ? nullptr : &layouts.back(), options));
  }
  return layouts;
}

std::vector<EpochLayout> improve_layouts(const History& history, const std::vector<EpochLayout>& layouts,
                                         const std::function<void(std::size_t done, std::size_t of)>& progress,
                                         std::stop_token stop) {
  constexpr std::uint64_t kMoreRankSteps = 100, kMoreOrderSteps = 20;
  const UnionOfStates states = union_of(history);
  std::vector<EpochLayout> better;
  for (const EpochLayout& layout : layouts) {
    progress(better.size(), layouts.size());
    const bool is_final = layout.ranks_optimal && !is_coarse(count_boxes(history, layout.epoch.from, layout.epoch.to));
    if (is_final || stop.stop_requested()) {
      better.push_back(layout);
      continue;
    }
    LayoutOptions options;
    options.rank_steps *= kMoreRankSteps;
    options.order_steps *= kMoreOrderSteps;
    options.stop = stop;
    better.push_back(lay_out_epoch(states.graph(), layout.epoch, &layout, options));
  }
  return better;
}

}  // namespace vizd
