#include "reference/inspector/gap_graph.h"

#include <algorithm>
#include <iterator>

namespace vizd::inspector {

GapGraph::GapGraph(const Method& method) : method_(method) {
  if (const ExportedProgram* graph = reference_graph(method).program) {
    for (const ProgramNode& node : graph->nodes)
      if (node.debug_handle) nodes_[*node.debug_handle].push_back(&node);
  }
  if (!method.edge) return;
  for (const ProgramNode& node : method.edge->nodes)
    if (node.debug_handle) edge_nodes_[*node.debug_handle].push_back(&node);
  find_readers(*method.edge);
}

std::span<const ProgramNode* const> GapGraph::edge_nodes(std::int64_t handle) const {
  const auto found = edge_nodes_.find(handle);
  if (found == edge_nodes_.end()) return {};
  return found->second;
}

bool GapGraph::is_shared(std::int64_t instruction, std::int64_t handle) const {
  return std::ranges::any_of(method_.debug_handles, [&](const auto& entry) {
    return entry.first != instruction && std::ranges::find(entry.second, handle) != entry.second.end();
  });
}

std::vector<const ProgramNode*> GapGraph::leaving(std::span<const ProgramNode* const> nodes,
                                                  std::span<const std::int64_t> handles) const {
  const std::set<std::int64_t> inside(handles.begin(), handles.end());
  std::vector<const ProgramNode*> out;
  std::ranges::copy_if(nodes, std::back_inserter(out), [&](const ProgramNode* node) { return leaves(*node, inside); });
  return out;
}

const ProgramNode* GapGraph::node(std::int64_t handle) const {
  const auto found = nodes_.find(handle);
  return found == nodes_.end() ? nullptr : found->second.back();
}

std::vector<std::string> GapGraph::names(std::span<const std::int64_t> handles) const {
  std::vector<std::string> out;
  std::set<std::int64_t> seen;
  for (const std::int64_t handle : handles) {
    const auto found = nodes_.find(handle);
    if (found == nodes_.end() || !seen.insert(handle).second) continue;
    for (const ProgramNode* node : found->second) out.push_back(node->name);
  }
  return out;
}

std::vector<std::int64_t> GapGraph::outputs_of(std::span<const std::int64_t> handles) const {
  const std::set<std::int64_t> inside(handles.begin(), handles.end());
  std::vector<std::int64_t> out;
  if (method_.edge) {
    for (const ProgramNode& node : method_.edge->nodes) {
      if (!node.debug_handle || !inside.contains(*node.debug_handle) || !leaves(node, inside)) continue;
      if (std::ranges::find(out, *node.debug_handle) == out.end()) out.push_back(*node.debug_handle);
    }
  }
  if (out.empty() && !handles.empty()) out.push_back(handles.back());
  return out;
}

void GapGraph::find_readers(const ExportedProgram& edge) {
  readers_.resize(edge.values.size());
  is_returned_.assign(edge.values.size(), false);
  for (std::size_t i = 0; i < edge.nodes.size(); ++i)
    for (const NodeInput& input : edge.nodes[i].inputs)
      for (const std::uint32_t value : input.values) readers_[value].push_back(i);
  for (const std::uint32_t value : edge.outputs) is_returned_[value] = true;
}

bool GapGraph::leaves(const ProgramNode& node, const std::set<std::int64_t>& inside) const {
  return std::ranges::any_of(node.outputs, [&](std::uint32_t value) {
    return is_returned_[value] || std::ranges::any_of(readers_[value], [&](std::size_t reader) {
             const auto& handle = method_.edge->nodes[reader].debug_handle;
             return !handle || !inside.contains(*handle);
           });
  });
}

}  // namespace vizd::inspector
