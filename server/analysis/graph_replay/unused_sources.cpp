// Says which captures name no kernel, and why.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {
namespace {

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
  const auto tell = [&](const CapturedRange& range) {
    lines.push_back(fmt::format("{}: {}", name_of_capture(replays, range), reason_of(replays, range)));
  };
  for (const CapturedRange& range : ranges) {
    if (range.is_self || used.contains(range.group) || !told.insert(range.group).second) continue;
    tell(range);
  }
  std::ranges::for_each(replays.sources->unread, tell);
  return lines;
}

}  // namespace vizd
