#include "cli/devices/scope_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/devices/host_calls.h"
#include "base/clean_text.h"
#include "base/close_match.h"
#include "base/standard_streams.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

constexpr std::size_t kMostNames = 10;

void insert_value(std::set<std::string>& names, const FileValue& value, const StringTable& strings) {
  if (value) names.insert(value_text(*value, strings));
}

// "no such device; the devices are 0, 1"; "" if the name is one of them.
std::string problem_of_name(const std::string& name, std::string_view kind, const std::set<std::string>& names) {
  if (names.contains(name)) return "";
  if (names.empty()) return fmt::format("the capture has no {}s", kind);
  std::vector<std::string> all;
  for (const std::string& each : names) all.push_back(one_line(each, false));
  std::string problem = fmt::format("no such {}", kind);
  if (const std::string close = close_match(name, all); !close.empty())
    problem += fmt::format("; did you mean '{}'?", close);
  const std::size_t more = all.size() - std::min(all.size(), kMostNames);
  all.resize(all.size() - more);
  problem += fmt::format("{} the {}s are {}", problem.ends_with('?') ? "" : ";", kind, fmt::join(all, ", "));
  return more == 0 ? problem : fmt::format("{} and {} more", problem, more);
}

}  // namespace

void ScopeNames::add(const Capture& capture, const DeviceWork& work) {
  has_work_ = has_work_ || !work.items.empty();
  if (scope_.rank) {
    for (const std::uint32_t root : rank_roots(capture)) insert_value(ranks_, rank_of(capture, root), capture.strings);
  }
  for (const WorkDevice& device : work.devices) {
    insert_value(ranks_, device.rank, capture.strings);
    insert_value(devices_, device.number, capture.strings);
  }
  if (!scope_.kernel) return;
  std::set<StringId> kernels;
  for (const WorkItem& item : work.items) kernels.insert(capture.profile.tracks[item.track].events.name(item.event));
  for (const StringId kernel : kernels) kernels_.insert(std::string(capture.strings.get(kernel)));
}

bool ScopeNames::check(std::string_view command) const {
  struct Choice {
    const std::optional<std::string>& name;
    std::string_view kind;
    const std::set<std::string>& names;
  };
  for (const Choice& choice : {Choice{scope_.rank, "rank", ranks_}, Choice{scope_.device, "device", devices_},
                               Choice{scope_.kernel, "kernel", kernels_}}) {
    if (!choice.name || (!has_work_ && choice.names.empty())) continue;
    const std::string problem = problem_of_name(*choice.name, choice.kind, choice.names);
    if (problem.empty()) continue;
    print_error("vizd {}: --{} {}: {}\n", command, choice.kind, one_line(*choice.name, false), problem);
    return false;
  }
  return true;
}

}  // namespace vizd
