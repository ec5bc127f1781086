#include "formats/etdump/resolution.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "formats/etdump/calls.h"
#include "formats/etdump/inspection.h"
#include "formats/etdump/kernel_op.h"

namespace vizd::etdump {
namespace {

// Names that the Inspector takes for the framework's own.
bool is_reserved(std::string_view name) {
  return name == "Method::init" || name == "Program::load_method" || name == "Method::execute";
}

// Of the edge program by handle, in graph order.
using NodesByHandle = std::unordered_map<std::int64_t, std::vector<std::uint32_t>>;

NodesByHandle nodes_by_handle(const Method& method) {
  NodesByHandle nodes;
  if (!method.edge) return nodes;
  for (std::uint32_t i = 0; i < method.edge->nodes.size(); ++i) {
    if (const auto handle = method.edge->nodes[i].debug_handle) nodes[*handle].push_back(i);
  }
  return nodes;
}

const std::vector<std::int64_t>* find_handles(const Method& method, const BlockEvent& event) {
  if (!event.instruction) return nullptr;
  const auto found = method.debug_handles.find(*event.instruction);
  return found == method.debug_handles.end() ? nullptr : &found->second;
}

const DelegateCall* find_delegate(const Method& method, const BlockEvent& event) {
  if (!event.instruction) return nullptr;
  const auto found = method.delegates.find(*event.instruction);
  return found == method.delegates.end() ? nullptr : &found->second;
}

// So many handles and nodes are told of all events of a block: a record may name very many for one instruction.
constexpr std::size_t kMostOfBlock = std::size_t{1} << 22;

void give_handles(const std::vector<std::int64_t>& handles, BlockEvent& event, std::size_t& left) {
  if (handles.size() > left) return;
  left -= handles.size();
  event.debug_handles = handles;
}

void add_nodes(const NodesByHandle& nodes, const Method& method, BlockEvent& event, std::size_t& left) {
  if (!event.debug_handles) return;
  std::unordered_set<std::uint32_t> seen;
  for (const std::int64_t handle : *event.debug_handles) {
    const auto found = nodes.find(handle);
    if (found == nodes.end()) continue;
    for (const std::uint32_t node : found->second) {
      if (left == 0) return;
      --left;
      if (seen.insert(node).second) event.nodes.push_back(node);
      if (!method.edge->nodes[node].op.empty()) event.op_types.push_back(method.edge->nodes[node].op);
    }
  }
}

// How well the method's map fits the block's kernels and delegate calls: what agrees counts for it, what does not
// against it; an instruction of a method whose graph the record lacks can only be there or not.
std::int64_t fit_of(const Method& method, const NodesByHandle& nodes, const Block& block) {
  constexpr std::int64_t kAgrees = 2, kIsThere = 1, kDiffers = -2;
  std::int64_t fit = 0;
  for (const BlockEvent& event : block.events) {
    if (!is_work(event)) continue;
    const bool calls_delegate = find_delegate(method, event) != nullptr;
    const auto* handles = find_handles(method, event);
    if (is_delegate_call(event) || calls_delegate || handles == nullptr) {
      fit += is_delegate_call(event) && calls_delegate ? kAgrees : kDiffers;
    } else if (!method.edge) {
      fit += kIsThere;
    } else {
      const std::string op = kernel_op(event.name);
      const std::string_view kernel = base_name(op);
      const auto is_it = [&](std::uint32_t node) { return base_name(method.edge->nodes[node].op) == kernel; };
      const bool agrees = std::ranges::any_of(*handles, [&](std::int64_t handle) {
        const auto found = nodes.find(handle);
        return found != nodes.end() && std::ranges::any_of(found->second, is_it);
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
    const std::int64_t fit = fit_of(method, nodes_by_handle(method), block);
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

void resolve_event(const Method& method, BlockEvent& event, std::size_t& left) {
  if (is_of_framework(event.name) && !event.is_delegated) return;
  const auto* handles = find_handles(method, event);
  const DelegateCall* call = find_delegate(method, event);
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
  if (handles != nullptr) give_handles(*handles, event, left);
}

void resolve_event_as_inspector(const Method& method, BlockEvent& event, std::size_t& left) {
  const auto* handles = find_handles(method, event);
  const DelegateCall* call = find_delegate(method, event);
  // An instruction that the handle map does not have is not looked up in the delegate map either.
  if (handles == nullptr) return;
  if (!event.is_delegated) {
    give_handles(*handles, event, left);
    if (event.name == "DELEGATE_CALL" && call != nullptr) event.backend = call->backend;
    return;
  }
  if (call == nullptr) {
    give_handles(*handles, event, left);
    return;
  }
  event.backend = call->backend;
  const std::string id = event.delegate_id();
  for (const auto& [key, own] : call->handles_by_id) {
    if (id.find(key) == std::string::npos) continue;
    event.debug_handles.reset();
    if (!own.empty()) give_handles(own, event, left);
  }
}

}  // namespace

void resolve(const EtRecord& record, const std::string& method_name, Block& block) {
  block.method = choose_method(record, method_name, block);
  if (block.method == nullptr) return;
  const NodesByHandle nodes = nodes_by_handle(*block.method);
  std::size_t left = kMostOfBlock;
  for (BlockEvent& event : block.events) {
    resolve_event(*block.method, event, left);
    add_nodes(nodes, *block.method, event, left);
    if (!event.op_types.empty() || !is_kernel(event)) continue;
    event.op_types = {kernel_op(event.name)};
    event.has_op_of_kernel = true;
  }
}

Result<void> resolve_as_inspector(const EtRecord& record, Block& block) {
  block.method = record.method("forward");
  if (block.method == nullptr)
    return Error{ErrorKind::kBadInput,
                 "the Inspector has no answer: the ETRecord has no method \"forward\"; leave out --reference-grouping",
                 ""};
  const NodesByHandle nodes = nodes_by_handle(*block.method);
  std::size_t left = kMostOfBlock;
  for (BlockEvent& event : block.events) {
    resolve_event_as_inspector(*block.method, event, left);
    if (!is_reserved(event.name)) add_nodes(nodes, *block.method, event, left);
  }
  return {};
}

}  // namespace vizd::etdump
