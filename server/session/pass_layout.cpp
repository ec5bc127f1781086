#include "session/pass_layout.h"

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

UnionOfStates union_of(const History& history) {
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
    out.boxes.push_back({version.state, {size.width_px, size.height_px}});
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

EpochLayout lay_out_states(const History& history, std::uint32_t from, std::uint32_t to, std::stop_token stop) {
  LayoutOptions options = layout_options(count_boxes(history, from, to));
  options.stop = std::move(stop);
  return lay_out_epoch(union_of(history).graph(), {from, to}, nullptr, options);
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
