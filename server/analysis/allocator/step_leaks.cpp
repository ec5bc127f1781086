#include "analysis/allocator/step_leaks.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/allocator/step_names.h"
#include "base/amount_text.h"

namespace vizd {

bool StepLeakSums::is_by_most_steps() const {
  return std::ranges::any_of(lines, [this](const LineLeaks& line) { return line.steps * 2 > judged; });
}

std::string StepLeakSums::size_text() const { return bytes_text(bytes_per_step()); }

std::string StepLeakSums::text() const {
  if (lines.empty()) return fmt::format("no step of {} left memory that the next did not free", steps_begin);
  return fmt::format("{} a step of {} are left by the next step too, {} block{} in {} step{}, made by {}{}",
                     size_text(), steps_begin, sum.count, sum.count == 1 ? "" : "s", judged, judged == 1 ? "" : "s",
                     lines.front().line, lines.size() == 1 ? "" : fmt::format(" and {} more", lines.size() - 1));
}

std::optional<StepLeakSums> sum_step_leaks(const Capture& capture, const Track& track) {
  const AllocatorLog& log = *track.allocator;
  if (!log.has_times) return std::nullopt;
  const NamedRanges ranges(capture, log.device);
  const auto names = step_names(ranges);
  if (names.empty()) return std::nullopt;
  const StepLeaks leaks(track, ranges.ends(names.front().name));
  if (leaks.judged() == 0) return std::nullopt;
  StepLeakSums sums{.steps_begin = names.front().name, .are_steps = names.front().are_steps, .judged = leaks.judged()};
  std::vector<std::string> sites;
  for (const AllocationSite& site : log.sites) sites.push_back(line_of(capture, site));
  std::map<std::string_view, std::pair<AllocationSum, std::set<std::size_t>>> lines;
  leaks.for_each([&](std::uint32_t life, std::size_t step) {
    auto& [sum, steps] = lines[sites[log.lives.site[life]]];
    sum.add(track, life);
    steps.insert(step);
    sums.sum.add(track, life);
  });
  for (const auto& [line, of] : lines) sums.lines.push_back({std::string(line), of.first, of.second.size()});
  std::ranges::stable_sort(sums.lines, std::greater(), [](const LineLeaks& line) { return line.sum.block_bytes; });
  return sums;
}

}  // namespace vizd
