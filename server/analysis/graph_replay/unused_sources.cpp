// Says which captures name no kernel, and why.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {
namespace {

constexpr std::size_t kMostNames = 4;

std::string name_of_capture(const GraphReplays& replays, const CapturedRange& range) {
  if (range.mode == kNoText) return range.file;
  return fmt::format("capture_{}_{}", range.size.value_or(0), replays.text(range.mode));
}

std::string reason_of(const GraphReplays& replays, const CapturedRange& range) {
  if (!range.size) return "no graph's work is its launches, or other captures fit better";
  const bool is_of_tokens = range.unit == SizeUnit::kTokens;
  const bool has_step = std::ranges::any_of(replays.replays, [&](const GraphReplay& replay) {
    if (replay.step == kNoId) return false;
    const StepName& says = replays.steps[replay.step].says;
    const StepCount& need = is_of_tokens ? says.tokens : says.padded.value_or(0) != 0 ? says.padded : says.requests;
    return !need || *need <= *range.size;
  });
  if (has_step) return "other captures fit better";
  return fmt::format("no step had {} {}{} or fewer", *range.size, is_of_tokens ? "token" : "request",
                     *range.size == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> unused_sources(const GraphReplays& replays) {
  std::vector<std::string> lines = replays.sources->unused;
  const auto& ranges = replays.sources->ranges;
  std::set<std::uint32_t> used, told;
  for (const GraphReplay& replay : replays.replays) {
    for (const std::uint32_t range : replay.ranges) used.insert(ranges[range].group);
  }
  // Sources with the same reason share one line: there may be hundreds.
  std::vector<std::pair<std::string, std::vector<std::string>>> by_reason;
  const auto tell = [&](const CapturedRange& range) {
    const std::string reason = reason_of(replays, range);
    auto place = std::ranges::find(by_reason, reason, [](const auto& each) { return each.first; });
    if (place == by_reason.end()) place = by_reason.insert(place, {reason, {}});
    place->second.push_back(name_of_capture(replays, range));
  };
  for (const CapturedRange& range : ranges) {
    if (range.is_self || used.contains(range.group) || !told.insert(range.group).second) continue;
    tell(range);
  }
  std::ranges::for_each(replays.sources->unread, tell);
  for (auto& [reason, names] : by_reason) {
    const std::size_t beyond = names.size() - std::min(names.size(), kMostNames);
    names.resize(names.size() - beyond);
    const std::string more = beyond > 0 ? fmt::format(" and {} more", beyond) : "";
    lines.push_back(fmt::format("{}{}: {}", fmt::join(names, ", "), more, reason));
  }
  return lines;
}

}  // namespace vizd
