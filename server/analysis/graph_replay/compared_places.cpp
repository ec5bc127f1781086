#include "analysis/graph_replay/compared_places.h"

#include <algorithm>
#include <functional>

#include "analysis/devices/launch_statistics.h"

namespace vizd {
namespace {

std::optional<double> decode_median_ns(const NamedReplays& of, const StepChoice& steps) {
  std::vector<std::int64_t> periods_ns;
  for (const GraphReplays& replays : of.ranks) {
    const ChosenWork chosen(replays, steps);
    for (const StepRow& row : step_rows(replays)) {
      const bool is_decode = row.says->phase == StepPhase::kDecode;
      if (is_decode && row.period_ns && chosen.has(static_cast<std::uint32_t>(row.step)))
        periods_ns.push_back(*row.period_ns);
    }
  }
  return periods_ns.empty() ? std::nullopt : std::optional(launch_statistics(periods_ns).median_ns);
}

}  // namespace

ComparedPlaces compare_servers(const NamedReplays& a, const NamedReplays& b, const StepChoice& steps) {
  ComparedPlaces compared{
      .rows = {}, .a_decode_ns = decode_median_ns(a, steps), .b_decode_ns = decode_median_ns(b, steps)};
  for (std::size_t rank = 0; rank < std::min(a.ranks.size(), b.ranks.size()); ++rank) {
    const GraphReplays &before = a.ranks[rank], &after = b.ranks[rank];
    auto rows = compare_places(before, ChosenWork(before, steps), after, ChosenWork(after, steps));
    for (PlaceRow& row : rows) row.rank = rank;
    compared.rows.insert(compared.rows.end(), rows.begin(), rows.end());
  }
  std::ranges::stable_sort(compared.rows, std::greater(), &PlaceRow::change_ns);
  return compared;
}

}  // namespace vizd
