#include "formats/etdump/modules.h"

#include <algorithm>
#include <optional>

namespace vizd::etdump {

std::vector<ModuleLevel> common_levels(const Block& block, const BlockEvent& event) {
  std::optional<std::vector<ModuleLevel>> common;
  for (const std::uint32_t place : event.nodes) {
    const auto& modules = block.method->edge->nodes[place].modules;
    if (!modules) continue;
    if (!common) {
      common = *modules;
      continue;
    }
    const auto shared = std::ranges::mismatch(*common, *modules).in1 - common->begin();
    common->resize(static_cast<std::size_t>(shared));
  }
  return common.value_or(std::vector<ModuleLevel>());
}

std::string common_module_path(const Block& block, const BlockEvent& event) {
  const auto levels = common_levels(block, event);
  return levels.empty() ? "" : levels.back().path;
}

}  // namespace vizd::etdump
