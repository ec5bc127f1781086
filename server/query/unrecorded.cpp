#include "query/unrecorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace vizd::sql {
namespace {

using enum Recordable;
struct Need {
  std::string_view table;
  Recordable what;
};
constexpr Need kNeeds[] = {
    {"slice", kEvents},
    {"run", kRuns},
    {"counter", kCounters},
    {"flow", kFlows},
    {"allocation", kAllocations},
    {"live_at_peak", kAllocations},
    {"stack", kStacks},
    {"segment", kAllocator},
    {"memory_event", kAllocator},
    {"oom", kAllocator},
    {"kernel", kDeviceWork},
    {"breakdown", kDeviceWork},
    {"call_tree", kDeviceWork},
    {"collective", kDeviceWork},
    {"straggler", kDeviceWork},
    {"collective_instance", kDeviceWork},
    {"kernel_sequence", kDeviceWork},
    {"operator", kOperators},
    {"thread_time", kEvents},
    {"comparison", kDeviceWork},
    {"step", kServerSteps},
    {"replay", kGraphLaunches},
    {"graph_node", kGraphLaunches},
    {"wave", kHardware},
    {"instruction", kHardware},
    {"hardware_counter", kHardware},
    {"pc_sample", kHardware},
    {"context", kRewrites},
    {"pass", kRewrites},
    {"match", kRewrites},
    {"rule", kRewrites},
    {"node", kRewrites},
    {"program", kPrograms},
};

}  // namespace

std::string Unrecorded::text(const Catalog& catalog) const {
  std::string where;
  for (const std::size_t source : sources) where += (where.empty() ? " (of " : ", ") + catalog.sources()[source].name;
  return fmt::format("{}{}: {}", fmt::join(tables, ", "), where.empty() ? "" : where + ")", absence.text());
}

std::optional<Recordable> need_of_table(std::string_view table) {
  const auto need = std::ranges::find(kNeeds, table, &Need::table);
  return need == std::end(kNeeds) ? std::nullopt : std::optional(need->what);
}

std::vector<Unrecorded> find_unrecorded(const Catalog& catalog, const std::set<std::string>& tables, bool has_rows) {
  std::vector<Unrecorded> all;
  std::vector<Recordable> needs;  // of each of them
  for (const std::string& read : tables) {
    // Totals of slices may be read from a table of their groups, "slice groups".
    const std::string table = read.substr(0, read.find(' '));
    const auto need = need_of_table(table);
    if (!need) continue;
    if (const auto same = std::ranges::find(needs, *need); same != needs.end()) {
      auto& named = all[static_cast<std::size_t>(same - needs.begin())].tables;
      if (std::ranges::find(named, table) == named.end()) named.push_back(table);
      continue;
    }
    std::vector<std::size_t> lacking;
    for (std::size_t source = 0; source < catalog.sources().size(); ++source) {
      if (!is_recorded(catalog.capture(source), *need)) lacking.push_back(source);
    }
    if (lacking.empty()) continue;
    const bool are_all = lacking.size() == catalog.sources().size();
    if (has_rows && !are_all) continue;
    Absence absence = not_recorded(catalog.capture(lacking.front()), *need);
    all.push_back({{table}, std::move(absence), are_all ? std::vector<std::size_t>() : std::move(lacking)});
    needs.push_back(*need);
  }
  return all;
}

}  // namespace vizd::sql
