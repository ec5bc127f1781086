#include "formats/etdump/method_maps.h"

#include <unordered_set>

namespace vizd::etdump {

MethodMaps::MethodMaps(const Method& method) : method_(method) {
  if (!method.edge) return;
  for (std::uint32_t i = 0; i < method.edge->nodes.size(); ++i) {
    if (const auto handle = method.edge->nodes[i].debug_handle) nodes_[*handle].push_back(i);
  }
}

const std::vector<std::int64_t>* MethodMaps::handles(const BlockEvent& event) const {
  if (!event.instruction) return nullptr;
  const auto found = method_.debug_handles.find(*event.instruction);
  return found == method_.debug_handles.end() ? nullptr : &found->second;
}

const DelegateCall* MethodMaps::delegate(const BlockEvent& event) const {
  if (!event.instruction) return nullptr;
  const auto found = method_.delegates.find(*event.instruction);
  return found == method_.delegates.end() ? nullptr : &found->second;
}

const std::vector<std::uint32_t>* MethodMaps::nodes(std::int64_t handle) const {
  const auto found = nodes_.find(handle);
  return found == nodes_.end() ? nullptr : &found->second;
}

void MethodMaps::give_handles(const std::vector<std::int64_t>& handles, BlockEvent& event) {
  if (handles.size() > left_) return;
  left_ -= handles.size();
  event.debug_handles = handles;
}

void MethodMaps::add_nodes(BlockEvent& event) {
  if (!event.debug_handles) return;
  std::unordered_set<std::uint32_t> seen;
  for (const std::int64_t handle : *event.debug_handles) {
    const auto* found = nodes(handle);
    if (found == nullptr) continue;
    for (const std::uint32_t node : *found) {
      if (left_ == 0) return;
      --left_;
      if (seen.insert(node).second) event.nodes.push_back(node);
      if (!method_.edge->nodes[node].op.empty()) event.op_types.push_back(method_.edge->nodes[node].op);
    }
  }
}

}  // namespace vizd::etdump
