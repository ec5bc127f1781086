#include "layout/layer_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vizd {
namespace {

// Places items at the end of their layers, each once.
class Placer {
 public:
  explicit Placer(const LayeredGraph& layered) : layered_(layered) {
    order_.layers.resize(layered.layer_count);
    order_.position.assign(layered.item_count(), kNowhere);
  }

  bool place(std::uint32_t item) {
    if (order_.position[item] != kNowhere) return false;
    std::vector<std::uint32_t>& layer = order_.layers[layered_.layer[item]];
    order_.position[item] = static_cast<std::uint32_t>(layer.size());
    layer.push_back(item);
    return true;
  }

  LayerOrder take() { return std::move(order_); }

 private:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFu;

  const LayeredGraph& layered_;
  LayerOrder order_;
};

}  // namespace

void LayerOrder::renumber(std::uint32_t layer) {
  for (std::uint32_t i = 0; i < layers[layer].size(); ++i) position[layers[layer][i]] = i;
}

LayerOrder depth_first_order(const AcyclicGraph& graph, const LayeredGraph& layered) {
  std::vector<std::uint32_t> sinks;
  for (std::uint32_t node = 0; node < graph.node_count; ++node) {
    if (graph.out.of(node).empty()) sinks.push_back(node);
  }
  std::stable_sort(sinks.begin(), sinks.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return layered.layer[a] > layered.layer[b]; });

  Placer placer(layered);
  std::vector<std::uint32_t> next(graph.in.first.begin(), graph.in.first.end() - 1);
  std::vector<std::uint32_t> stack;
  for (const std::uint32_t sink : sinks) {
    placer.place(sink);
    stack.push_back(sink);
    while (!stack.empty()) {
      const std::uint32_t user = stack.back();
      if (next[user] == graph.in.first[user + 1]) {
        stack.pop_back();
        continue;
      }
      const std::uint32_t arc = graph.in.items[next[user]++];
      const std::uint32_t source = graph.arcs[arc].tail;
      // The trunk from the user back to where it is placed already. A cut source lies near its first user all the same.
      for (std::uint32_t layer = layered.layer[user] - 1; !layered.cut[arc] && layer > layered.layer[source]; --layer) {
        if (!placer.place(layered.carrier(source, layer))) break;
      }
      if (placer.place(source)) stack.push_back(source);
    }
  }
  return placer.take();
}

LayerOrder anchored_order(const AcyclicGraph& graph, const LayeredGraph& layered, std::span<const float> anchor_y_px) {
  LayerOrder order = depth_first_order(graph, layered);
  std::vector<float> height(layered.item_count(), std::nanf(""));
  for (std::uint32_t node = 0; node < layered.node_count; ++node) height[node] = anchor_y_px[node];
  // An item without an anchor takes the mean of those neighbours that have a height by then: users first, then sources.
  const auto settle = [&](std::uint32_t item, const Adjacency& neighbours) {
    if (!std::isnan(height[item])) return;
    float sum = 0;
    float count = 0;
    for (const std::uint32_t neighbour : neighbours.of(item)) {
      if (std::isnan(height[neighbour])) continue;
      sum += height[neighbour];
      ++count;
    }
    if (count > 0) height[item] = sum / count;
  };
  for (std::size_t layer = order.layers.size(); layer-- > 0;) {
    for (const std::uint32_t item : order.layers[layer]) settle(item, layered.right);
  }
  for (const auto& layer : order.layers) {
    for (const std::uint32_t item : layer) settle(item, layered.left);
  }
  for (std::uint32_t layer = 0; layer < order.layers.size(); ++layer) {
    std::vector<std::uint32_t>& items = order.layers[layer];
    // A component that is wholly new has no height at all; it keeps its place behind the item before it.
    float last = 0;
    for (const std::uint32_t item : items) last = std::isnan(height[item]) ? (height[item] = last) : height[item];
    std::stable_sort(items.begin(), items.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return height[a] < height[b]; });
    order.renumber(layer);
  }
  return order;
}

std::uint64_t count_line_crossings(const LayeredGraph& layered, const LayerOrder& order, std::uint32_t layer) {
  if (layer + 1 >= order.layers.size()) return 0;
  std::size_t leaves = 1;
  while (leaves < order.layers[layer + 1].size()) leaves *= 2;
  std::vector<std::uint32_t> tree(2 * leaves, 0);  // lines that end at or below each node of the tree so far
  std::uint64_t crossings = 0;
  std::vector<std::uint32_t> ends;
  for (const std::uint32_t item : order.layers[layer]) {
    ends.clear();
    for (const std::uint32_t neighbour : layered.right.of(item)) ends.push_back(order.position[neighbour]);
    std::sort(ends.begin(), ends.end());
    // Lines from above that end further down are crossed; those of this item cross none of each other.
    for (const std::uint32_t end : ends) {
      for (std::size_t at = leaves + end; at > 1; at /= 2) {
        if (at % 2 == 0) crossings += tree[at + 1];
      }
    }
    for (const std::uint32_t end : ends) {
      for (std::size_t at = leaves + end; at > 0; at /= 2) ++tree[at];
    }
  }
  return crossings;
}

}  // namespace vizd
