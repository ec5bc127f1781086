#include "layout/entry_slots.h"

#include <algorithm>
#include <cstdint>

namespace vizd {
namespace {

// The arcs of one port of one head: a range of its arcs.
struct Port {
  std::size_t first = 0;
  std::size_t last = 0;
  double arrival = 0;  // the mean position of its drawn lines in the layer before
  bool drawn = false;
  std::size_t slot = 0;
};

void collect_ports(const AcyclicGraph& graph, const LayeredGraph& layered, const LayerOrder& order, std::uint32_t head,
                   std::vector<Port>& ports) {
  const auto arcs = graph.in.of(head);
  ports.clear();
  for (std::size_t first = 0, i = 0; first < arcs.size(); first = i) {
    Port port{first, first, 0, false, ports.size()};
    double lines = 0;
    for (; i < arcs.size() && graph.arcs[arcs[i]].port == graph.arcs[arcs[first]].port; ++i) {
      if (layered.cut[arcs[i]]) continue;
      port.arrival += order.position[layered.carrier(graph.arcs[arcs[i]].tail, layered.layer[head] - 1)];
      ++lines;
    }
    port.last = i;
    port.drawn = lines > 0;
    if (port.drawn) port.arrival /= lines;
    ports.push_back(port);
  }
}

// Each port begins with the slot of its own place; the drawn ones give theirs to each other, by arrival.
void share_out_slots(std::vector<Port>& ports) {
  std::vector<Port*> drawn;
  std::vector<std::size_t> slots;
  for (Port& port : ports) {
    if (!port.drawn) continue;
    drawn.push_back(&port);
    slots.push_back(port.slot);
  }
  std::stable_sort(drawn.begin(), drawn.end(), [](const Port* a, const Port* b) { return a->arrival < b->arrival; });
  for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i]->slot = slots[i];
}

}  // namespace

std::vector<float> entry_offsets(const AcyclicGraph& graph, const LayeredGraph& layered, const LayerOrder& order,
                                 std::span<const LayoutNode> nodes) {
  std::vector<float> offsets(graph.arcs.size(), 0);
  std::vector<Port> ports;
  for (std::uint32_t head = 0; head < graph.node_count; ++head) {
    collect_ports(graph, layered, order, head, ports);
    share_out_slots(ports);
    const float pitch_px = nodes[head].height_px / static_cast<float>(ports.size() + 1);
    for (const Port& port : ports) {
      for (std::size_t i = port.first; i < port.last; ++i) {
        offsets[graph.in.of(head)[i]] = pitch_px * static_cast<float>(port.slot + 1) - nodes[head].height_px / 2;
      }
    }
  }
  return offsets;
}

}  // namespace vizd
