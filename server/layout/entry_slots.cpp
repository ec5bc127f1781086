#include "layout/entry_slots.h"

#include <algorithm>
#include <cstdint>

namespace vizd {

std::vector<float> entry_offsets(const AcyclicGraph& graph, const LayeredGraph& layered, const LayerOrder& order,
                                 std::span<const LayoutNode> nodes) {
  std::vector<float> offsets(graph.arcs.size(), 0);
  std::vector<std::uint32_t> drawn;
  for (std::uint32_t head = 0; head < graph.node_count; ++head) {
    const auto arcs = graph.in.of(head);
    const auto arrival = [&](std::uint32_t arc) {
      return order.position[layered.carrier(graph.arcs[arc].tail, layered.layer[head] - 1)];
    };
    drawn.clear();
    for (const std::uint32_t arc : arcs) {
      if (!layered.cut[arc]) drawn.push_back(arc);
    }
    std::sort(drawn.begin(), drawn.end(), [&](std::uint32_t a, std::uint32_t b) { return arrival(a) < arrival(b); });
    const float pitch_px = nodes[head].height_px / static_cast<float>(arcs.size() + 1);
    auto next_drawn = drawn.begin();
    for (std::size_t slot = 0; slot < arcs.size(); ++slot) {
      const std::uint32_t arc = layered.cut[arcs[slot]] ? arcs[slot] : *next_drawn++;
      offsets[arc] = pitch_px * static_cast<float>(slot + 1) - nodes[head].height_px / 2;
    }
  }
  return offsets;
}

}  // namespace vizd
