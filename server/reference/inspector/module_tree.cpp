#include "reference/inspector/module_tree.h"

#include "formats/etdump/calls.h"
#include "formats/etdump/modules.h"

namespace vizd::inspector {
namespace {

struct TreeNode {
  ModuleRow row;
  std::vector<std::size_t> children = {};  // places
};

void list(const std::vector<TreeNode>& nodes, std::size_t place, std::vector<ModuleRow>& rows) {
  rows.push_back(nodes[place].row);
  for (const std::size_t child : nodes[place].children) list(nodes, child, rows);
}

// The place of that module in the tree below another, where it is added if it is not there.
std::size_t child_of(std::vector<TreeNode>& nodes, std::size_t parent, const ModuleLevel& level) {
  for (const std::size_t child : nodes[parent].children) {
    if (nodes[child].row.path == level.path) return child;
  }
  const std::size_t child = nodes.size();
  nodes[parent].children.push_back(child);
  nodes.push_back({.row = {.path = level.path, .type = level.type, .depth = nodes[parent].row.depth + 1}});
  return child;
}

}  // namespace

std::vector<ModuleRow> module_tree(const Block& block) {
  std::vector<TreeNode> nodes(1);
  for (const BlockEvent& event : block.events) {
    if (!is_work(event) || !event.statistics) continue;
    const double average = event.statistics->average;
    std::size_t at = 0;
    nodes[at].row.total += average;
    for (const ModuleLevel& level : common_levels(block, event)) {
      if (level.path.empty()) {
        nodes[at].row.type = level.type;
        continue;
      }
      at = child_of(nodes, at, level);
      nodes[at].row.total += average;
    }
    nodes[at].row.self += average;
    ++nodes[at].row.events;
  }
  std::vector<ModuleRow> rows;
  if (nodes.size() > 1 || nodes[0].row.events > 0) list(nodes, 0, rows);
  return rows;
}

}  // namespace vizd::inspector
