#include "session/step_layout.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "layout/label_size.h"

namespace vizd {
namespace {

// The largest box that any of the node's labels between two states asks for; a width of 0 where it is no box there.
LayoutNode largest_box(const History& history, const HistoryNode& node, std::uint32_t from, std::uint32_t to,
                       const std::vector<LabelSize>& label_sizes) {
  LayoutNode box;
  if (node.born > to || node.died <= from) return box;
  for (std::uint32_t i = 0; i < node.version_count; ++i) {
    const NodeVersion& version = history.versions[node.first_version + i];
    const bool is_last = i + 1 == node.version_count;
    const std::uint32_t ends = is_last ? node.died : history.versions[node.first_version + i + 1].state;
    if (version.inlined || version.state > to || ends <= from) continue;
    box.width_px = std::max(box.width_px, label_sizes[version.label].width_px);
    box.height_px = std::max(box.height_px, label_sizes[version.label].height_px);
  }
  return box;
}

}  // namespace

std::size_t StepLayout::memory_bytes() const {
  return sizes.capacity() * sizeof(LayoutNode) +
         (x_px.capacity() + y_px.capacity() + points_px.capacity()) * sizeof(float) +
         routes.capacity() * sizeof(EdgeRoute);
}

StepLayout lay_out_states(const History& history, std::uint32_t from, std::uint32_t to, std::stop_token stop) {
  std::vector<LabelSize> label_sizes;
  label_sizes.reserve(history.labels.size());
  for (const std::string& label : history.labels) label_sizes.push_back(label_size(label));

  StepLayout result;
  result.sizes.reserve(history.nodes.size());
  for (const HistoryNode& node : history.nodes)
    result.sizes.push_back(largest_box(history, node, from, to, label_sizes));

  // The boxes and the edges between them, numbered without gaps.
  std::vector<LayoutNode> boxes;
  std::vector<std::uint32_t> box_of(history.nodes.size(), kNoId);
  for (std::size_t n = 0; n < history.nodes.size(); ++n) {
    if (result.sizes[n].width_px <= 0) continue;
    box_of[n] = static_cast<std::uint32_t>(boxes.size());
    boxes.push_back(result.sizes[n]);
  }
  std::vector<LayoutEdge> links;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> link_numbers;
  std::vector<std::uint32_t> link_of(history.edges.size(), kNoId);
  for (std::size_t e = 0; e < history.edges.size(); ++e) {
    const HistoryEdge& edge = history.edges[e];
    const LayoutEdge link{box_of[index(edge.source)], box_of[index(edge.user)], edge.port};
    if (edge.born > to || edge.died <= from || link.source == kNoId || link.user == kNoId) continue;
    // An edge that went and came back is one line.
    const auto [found, added] = link_numbers.try_emplace({link.source, link.user, link.port}, links.size());
    if (added) links.push_back(link);
    link_of[e] = found->second;
  }

  LayoutOptions options;
  options.stop = std::move(stop);
  Layout layout = layout_graph(boxes, links, options);
  result.x_px.assign(history.nodes.size(), 0);
  result.y_px.assign(history.nodes.size(), 0);
  for (std::size_t n = 0; n < box_of.size(); ++n) {
    if (box_of[n] == kNoId) continue;
    result.x_px[n] = layout.x_px[box_of[n]];
    result.y_px[n] = layout.y_px[box_of[n]];
  }
  result.routes.resize(history.edges.size());
  for (std::size_t e = 0; e < link_of.size(); ++e) {
    if (link_of[e] != kNoId) result.routes[e] = layout.routes[link_of[e]];
  }
  result.points_px = std::move(layout.points_px);
  result.width_px = layout.width_px;
  result.height_px = layout.height_px;
  result.ranks_optimal = layout.ranks_optimal;
  return result;
}

}  // namespace vizd
