#include "reference/inspector/module_totals.h"

#include <set>

#include "formats/etdump/calls.h"

namespace vizd::inspector {
namespace {

// Calls visit(module level) for each that a node of the event stands in.
template <typename Visit>
void for_each_module(const Block& block, const BlockEvent& event, Visit&& visit) {
  for (const std::uint32_t node : event.nodes) {
    const auto& modules = block.method->edge->nodes[node].modules;
    if (!modules) continue;
    for (const ModuleLevel& level : *modules) visit(level);
  }
}

}  // namespace

std::vector<std::string> module_keys(const Inspection& inspection) {
  std::set<std::string> keys;
  for (const Block& block : inspection.blocks) {
    for (const BlockEvent& event : block.events)
      for_each_module(block, event, [&](const ModuleLevel& level) { keys.insert(level.key); });
  }
  return {keys.begin(), keys.end()};
}

double module_total(const Inspection& inspection, const std::string& key) {
  double total = 0;
  for (const Block& block : inspection.blocks) {
    for (const BlockEvent& event : block.events) {
      if (is_operator_call(event.name) || !event.statistics) continue;
      bool is_in = false;
      for_each_module(block, event,
                      [&](const ModuleLevel& level) { is_in = is_in || level.key.find(key) != std::string::npos; });
      if (is_in) total += event.statistics->average;
    }
  }
  return total;
}

}  // namespace vizd::inspector
