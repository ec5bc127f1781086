#include "reference/inspector/event_nodes.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "formats/etdump/calls.h"
#include "formats/etdump/kernel_op.h"

namespace vizd::inspector {
namespace {

// "_to_dim_order_copy" of a kernel "dim_order_ops::_to_dim_order_copy.out" and of its operator; "" of what is none.
std::string_view operator_name(std::string_view op) {
  const std::string_view name = base_name(op);
  const auto space = name.rfind("::");
  return space == name.npos ? name : name.substr(space + 2);
}

}  // namespace

EventNodes::EventNodes(const GapGraph& graph, std::span<const GapEvent> events) : graph_(graph), events_(events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const GapEvent& event = events[i];
    if (event.debug_handles.empty() || is_operator_call(event.name)) continue;
    alike_[alike(event, event.debug_handles.back())].push_back(i);
  }
}

EventNodes::Alike EventNodes::alike(const GapEvent& event, std::int64_t handle) {
  const std::string op = kernel_op(event.name);
  return {handle, std::string(operator_name(op)), event.occurrence};
}

EventNodes::Answer EventNodes::of(std::size_t event, std::int64_t handle) const {
  const auto nodes = graph_.edge_nodes(handle);
  if (nodes.empty()) return {};
  if (nodes.size() == 1) return {Whose::kReference, nodes.front()};
  const ProgramNode* const node = kernel_op(events_[event].name).empty()
                                      ? node_that_leaves(events_[event], handle, nodes)
                                      : node_of_kernel(event, handle, nodes);
  return {node == nullptr ? Whose::kUnsure : node == nodes.back() ? Whose::kReference : Whose::kOther, node};
}

// By its operator, and where the handle has several nodes of that one by its turn among their kernels.
const ProgramNode* EventNodes::node_of_kernel(std::size_t event, std::int64_t handle,
                                              std::span<const ProgramNode* const> nodes) const {
  const auto found = alike_.find(alike(events_[event], handle));
  if (found == alike_.end()) return nullptr;
  std::vector<const ProgramNode*> candidates;
  std::ranges::copy_if(nodes, std::back_inserter(candidates), [&](const ProgramNode* node) {
    return operator_name(node->op) == std::get<std::string>(found->first);
  });
  const std::vector<std::size_t>& events = found->second;
  const auto turn = static_cast<std::size_t>(std::ranges::find(events, event) - events.begin());
  return events.size() == candidates.size() ? candidates[turn] : nullptr;
}

// For a delegate's call or a part of one: the node whose result leaves it, if all nodes of the handle are in it.
const ProgramNode* EventNodes::node_that_leaves(const GapEvent& event, std::int64_t handle,
                                                std::span<const ProgramNode* const> nodes) const {
  const auto listed = std::ranges::count(event.debug_handles, handle);
  if (std::cmp_less(listed, nodes.size()) && graph_.is_shared(event.instruction, handle)) return nullptr;
  const auto leaving = graph_.leaving(nodes, event.debug_handles);
  return leaving.size() == 1 ? leaving.front() : nullptr;
}

std::string text_of_other(const EventNodes::Answer& answer) {
  return answer.node == nullptr
             ? "several nodes have its debug handle, and it is unsure which of them it is; it is not judged"
             : fmt::format("is {}, and the reference's value of its debug handle is another node's", answer.node->name);
}

}  // namespace vizd::inspector
