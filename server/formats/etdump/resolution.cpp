#include "formats/etdump/resolution.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "formats/etdump/calls.h"
#include "formats/etdump/kernel_op.h"
#include "formats/etdump/method_maps.h"

namespace vizd::etdump {
namespace {

// How well the method's map fits the block's kernels and delegate calls: what agrees counts for it, what does not
// against it; an instruction of a method whose graph the record lacks can only be there or not.
std::int64_t fit_of(const MethodMaps& maps, const Block& block) {
  constexpr std::int64_t kAgrees = 2, kIsThere = 1, kDiffers = -2;
  std::int64_t fit = 0;
  for (const BlockEvent& event : block.events) {
    if (!is_work(event)) continue;
    const bool calls_delegate = maps.delegate(event) != nullptr;
    const auto* handles = maps.handles(event);
    if (is_delegate_call(event) || calls_delegate || handles == nullptr) {
      fit += is_delegate_call(event) && calls_delegate ? kAgrees : kDiffers;
    } else if (!maps.method().edge) {
      fit += kIsThere;
    } else {
      const std::string op = kernel_op(event.name);
      const std::string_view kernel = base_name(op);
      const auto is_it = [&](std::uint32_t node) { return base_name(maps.method().edge->nodes[node].op) == kernel; };
      const bool agrees = std::ranges::any_of(*handles, [&](std::int64_t handle) {
        const auto* nodes = maps.nodes(handle);
        return nodes != nullptr && std::ranges::any_of(*nodes, is_it);
      });
      fit += agrees ? kAgrees : kDiffers;
    }
  }
  return fit;
}

const Method* choose_method(const EtRecord& record, const std::string& name, const Block& block) {
  if (!name.empty()) return record.method(name);
  const Method* best = nullptr;
  std::int64_t best_fit = 0;
  for (const Method& method : record.methods) {
    const std::int64_t fit = fit_of(MethodMaps(method), block);
    if (best != nullptr && fit <= best_fit) continue;
    best = &method;
    best_fit = fit;
  }
  return best;
}

// The handles of a delegate's id: those of the id itself, or else of the longest key that is a part of it.
const std::vector<std::int64_t>* find_by_id(const DelegateCall& call, const std::string& id, bool& is_approximate) {
  const std::pair<std::string, std::vector<std::int64_t>>* best = nullptr;
  for (const auto& entry : call.handles_by_id) {
    if (entry.second.empty()) continue;
    if (entry.first == id) return &entry.second;
    const bool is_part = !entry.first.empty() && id.find(entry.first) != std::string::npos;
    if (is_part && (best == nullptr || entry.first.size() > best->first.size())) best = &entry;
  }
  if (best == nullptr) return nullptr;
  is_approximate = true;
  return &best->second;
}

void resolve_event(MethodMaps& maps, BlockEvent& event) {
  if (is_of_framework(event.name) && !event.is_delegated) return;
  const auto* handles = maps.handles(event);
  const DelegateCall* call = maps.delegate(event);
  if (event.is_delegated && call != nullptr) {
    event.backend = call->backend;
    if (const auto* own = find_by_id(*call, event.delegate_id(), event.is_approximate)) {
      handles = own;
    } else {
      event.is_approximate = handles != nullptr;  // somewhere in what the call stands for
    }
  } else if (event.name == "DELEGATE_CALL" && call != nullptr) {
    event.backend = call->backend;
  }
  if (handles != nullptr) maps.give_handles(*handles, event);
}

}  // namespace

void resolve(const EtRecord& record, const std::string& method_name, Block& block) {
  block.method = choose_method(record, method_name, block);
  if (block.method == nullptr) return;
  MethodMaps maps(*block.method);
  for (BlockEvent& event : block.events) {
    resolve_event(maps, event);
    maps.add_nodes(event);
    if (!event.op_types.empty() || !is_kernel(event)) continue;
    event.op_types = {kernel_op(event.name)};
    event.has_op_of_kernel = true;
  }
}

}  // namespace vizd::etdump
