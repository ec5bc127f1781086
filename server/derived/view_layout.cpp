#include "derived/view_layout.h"

#include <unordered_map>

#include "layout/label_size.h"
#include "layout/layout_graph.h"
#include "rewrite/history_index.h"

namespace vizd {

ViewLayout lay_out_view(const History& history, std::uint32_t state, const StateView& view,
                        std::optional<std::uint32_t> cut_layers, Direction direction, std::stop_token stop) {
  ViewLayout result;
  std::unordered_map<NodeId, std::uint32_t> number;
  for (const NodeId node : view.boxes) {
    number[node] = static_cast<std::uint32_t>(result.sizes.size());
    const LabelSize size = label_size(history.labels[version_at(history, node, state).label]);
    const LayoutNode box = {size.width_px, size.height_px};
    result.sizes.push_back(direction == Direction::kDown ? turned(box) : box);
  }
  std::vector<LayoutEdge> edges;
  for (const ViewEdge& edge : view.edges) edges.push_back({number.at(edge.source), number.at(edge.user), edge.port});
  LayoutOptions options = layout_options(view.boxes.size());
  if (cut_layers) options.max_edge_layers = *cut_layers;
  if (cut_layers == kNoId) options.max_fan_out = kNoId;
  options.stop = std::move(stop);
  result.layout = layout_graph(result.sizes, edges, options);
  if (direction == Direction::kDown) {
    turn(result.layout);
    for (LayoutNode& size : result.sizes) size = turned(size);
  }
  return result;
}

}  // namespace vizd
