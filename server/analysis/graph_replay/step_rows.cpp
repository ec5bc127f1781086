// Rows of the server's steps, of layers by phase, and of two runs place by place.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "analysis/figures/span_union.h"
#include "analysis/graph_replay/replay_rows.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

std::optional<std::string_view> phase_name(const std::optional<StepPhase>& phase) {
  return phase ? std::optional(step_phase_name(*phase)) : std::nullopt;
}

std::optional<double> per_second(const StepCount& count, const std::optional<std::int64_t>& time_ns) {
  if (!count || !time_ns || *time_ns == 0) return std::nullopt;
  return static_cast<double>(*count) * 1e9 / static_cast<double>(*time_ns);
}

// The work of each step.
std::vector<std::vector<std::uint32_t>> work_by_step(const GraphReplays& replays) {
  std::vector<std::vector<std::uint32_t>> work(replays.steps.size());
  for (std::uint32_t i = 0; i < replays.work.size(); ++i) {
    if (replays.work[i].step != kNoId) work[replays.work[i].step].push_back(i);
  }
  return work;
}

std::uint32_t device_of(const GraphReplays& replays, std::uint32_t i) {
  return replays.analysis.work.streams[replays.item(i).stream].device;
}

void add_device_times(const GraphReplays& replays, std::vector<std::uint32_t>& items, std::int64_t offset_ns,
                      StepRow& row) {
  std::ranges::sort(items, {}, [&](std::uint32_t i) { return replays.item(i).start_ns; });
  SpanUnion busy;
  std::set<std::uint32_t> of_replays;
  std::int64_t end_ns = 0;
  for (const std::uint32_t i : items) {
    const WorkItem& item = replays.item(i);
    const std::int64_t dur_ns = item.end_ns - item.start_ns;
    busy.add(item.start_ns, item.end_ns);
    end_ns = i == items.front() ? item.end_ns : std::max(end_ns, item.end_ns);
    row.total_ns += dur_ns;
    if (item.work == EventRole::kKernel) ++row.kernels;
    if (replays.work[i].replay == kNoId) continue;
    row.replay_total_ns += dur_ns;
    of_replays.insert(replays.work[i].replay);
  }
  row.work = static_cast<std::int64_t>(items.size());
  row.replays = static_cast<std::int64_t>(of_replays.size());
  if (items.empty()) return;
  const std::int64_t start_ns = replays.item(items.front()).start_ns;
  row.device_start_ns = start_ns + offset_ns;
  row.device_end_ns = end_ns + offset_ns;
  row.device_span_ns = end_ns - start_ns;
  row.busy_ns = busy.length_ns();
}

// The device that a step is counted on: of several the one whose number, written out, comes first.
std::string step_device(const GraphReplays& replays, const std::vector<std::uint32_t>& items) {
  std::set<std::string> devices;
  for (const std::uint32_t i : items) {
    const FileValue& number = replays.analysis.work.devices[device_of(replays, i)].number;
    const bool is_text = number && std::holds_alternative<StringId>(*number);
    const std::string text = number ? value_text(*number, replays.capture.strings) : "null";
    devices.insert(is_text ? "\"" + text : text);
  }
  return *devices.begin();
}

// From the first work of a step to that of the next on the device; the last one has its own span.
void add_periods(const std::map<std::string, std::vector<std::size_t>>& by_device, std::vector<StepRow>& rows) {
  for (auto [device, places] : by_device) {
    std::ranges::sort(places, {}, [&](std::size_t place) { return std::pair(*rows[place].device_start_ns, place); });
    for (std::size_t k = 0; k < places.size(); ++k) {
      StepRow& row = rows[places[k]];
      row.period_ns =
          k + 1 < places.size() ? *rows[places[k + 1]].device_start_ns - *row.device_start_ns : row.device_span_ns;
      row.tokens_per_s = per_second(row.says->tokens, row.period_ns);
    }
  }
}

bool serves(const StepRow& row) {
  using enum StepPhase;
  const auto& phase = row.says->phase;
  return row.says->requests && (phase == kPrefill || phase == kDecode || phase == kMixed || phase == kVerify);
}

SteadyRow sum_up(std::span<const StepRow* const> window) {
  SteadyRow steady{.first_step = window.front()->step, .last_step = window.back()->step};
  steady.steps = static_cast<std::int64_t>(window.size());
  std::optional<std::int64_t> start_ns, end_ns;
  std::vector<std::int64_t> decodes_ns;
  std::int64_t tokens = 0;
  bool are_tokens_known = true;
  for (const StepRow* const row : window) {
    const StepPhase phase = *row->says->phase;
    ++(phase == StepPhase::kPrefill  ? steady.prefill
       : phase == StepPhase::kDecode ? steady.decode
       : phase == StepPhase::kMixed  ? steady.mixed
                                     : steady.verify);
    are_tokens_known &= row->says->tokens && !__builtin_add_overflow(tokens, *row->says->tokens, &tokens);
    if (row->work == 0) continue;
    start_ns = std::min(start_ns.value_or(*row->device_start_ns), *row->device_start_ns);
    end_ns = std::max(end_ns.value_or(*row->device_end_ns), *row->device_end_ns);
    if (phase == StepPhase::kDecode) decodes_ns.push_back(*row->period_ns);
  }
  if (are_tokens_known) steady.tokens = tokens;
  if (start_ns) steady.span_ns = *end_ns - *start_ns;
  steady.tokens_per_s = per_second(steady.tokens, steady.span_ns);
  if (!decodes_ns.empty()) steady.decode_period_median_ns = launch_statistics(decodes_ns).median_ns;
  return steady;
}

using Place = std::tuple<std::optional<std::string_view>, std::optional<std::int64_t>, std::optional<std::int64_t>,
                         std::optional<std::string_view>>;

struct PlaceSum {
  std::string_view name;
  std::int64_t count = 0, total_ns = 0, longest_ns = -1;
  std::uint32_t longest = kNoId;
};
using PlaceSums = std::map<std::pair<Place, std::int64_t>, PlaceSum>;

PlaceSums sum_places(const GraphReplays& replays, const ChosenWork& chosen) {
  PlaceSums sums;
  auto work = work_by_step(replays);
  for (std::uint32_t step = 0; step < work.size(); ++step) {
    if (!chosen.has(step)) continue;
    std::erase_if(work[step], [&](std::uint32_t i) { return !chosen.has_work(replays, i); });
    sort_by_call(replays, work[step]);
    std::map<Place, std::int64_t> seen;
    for (const std::uint32_t i : work[step]) {
      const SaidOfWork& said = replays.said_of(replays.work[i]);
      const Place place(phase_name(replays.steps[step].says.phase), said.layer_index, said.piece,
                        said.operator_name == kNoText ? std::nullopt : std::optional(replays.text(said.operator_name)));
      const auto [found, is_new] = sums.try_emplace({place, seen[place]++});
      if (is_new) found->second.name = replays.name_of(i);
      const std::int64_t dur_ns = replays.item(i).end_ns - replays.item(i).start_ns;
      ++found->second.count;
      found->second.total_ns += dur_ns;
      if (dur_ns > found->second.longest_ns) found->second.longest_ns = dur_ns, found->second.longest = i;
    }
  }
  return sums;
}

using PhaseName = std::optional<std::string_view>;

// kind_of(said, place): the kind of module that a piece of work is told apart by.
template <typename Row, typename KindOf>
std::vector<Row> sum_layers(const GraphReplays& replays, const ChosenWork& chosen, KindOf&& kind_of) {
  std::map<PhaseName, std::int64_t> count, total_ns;
  for (std::uint32_t s = 0; s < replays.steps.size(); ++s) {
    const PhaseName phase = phase_name(replays.steps[s].says.phase);
    if (phase && chosen.has(s)) ++count[phase];
  }
  using Key = std::tuple<PhaseName, PhaseName, std::optional<std::int64_t>, std::optional<std::int64_t>, ModuleKind>;
  std::map<Key, Row> sums;
  for (std::uint32_t i = 0; i < replays.work.size(); ++i) {
    const NamedWork& work = replays.work[i];
    if (!chosen.has_work(replays, i)) continue;
    const SaidOfWork& said = replays.said_of(work);
    const PhaseName phase = work.step == kNoId ? std::nullopt : phase_name(replays.steps[work.step].says.phase);
    const PhaseName layer = said.layer == kNoText ? std::nullopt : std::optional(replays.text(said.layer));
    const ModuleKind kind = kind_of(said, i);
    Row& row = sums[{phase, layer, said.layer_index, said.piece, kind}];
    row.phase = phase, row.layer = layer, row.layer_index = said.layer_index, row.piece = said.piece;
    if constexpr (std::is_same_v<Row, LayerKindRow>) row.kind = kind;
    ++row.work;
    row.total_ns += replays.item(i).end_ns - replays.item(i).start_ns;
    total_ns[phase] += replays.item(i).end_ns - replays.item(i).start_ns;
  }
  std::vector<Row> rows;
  for (auto& [key, row] : sums) {
    row.steps = row.phase ? count[row.phase] : 0;
    if (row.steps > 0) row.per_step_ns = static_cast<double>(row.total_ns) / static_cast<double>(row.steps);
    const auto all_ns = static_cast<double>(total_ns[row.phase]);
    if (all_ns > 0) row.percent = 100 * static_cast<double>(row.total_ns) / all_ns;
    rows.push_back(row);
  }
  std::ranges::stable_sort(rows, {}, [](const Row& row) { return std::tuple(row.phase, row.layer_index, row.piece); });
  return rows;
}

}  // namespace

std::optional<double> PlaceRow::delta_ns() const {
  if (a_count == 0 || b_count == 0) return std::nullopt;
  return *b_mean_ns() - *a_mean_ns();
}

double PlaceRow::change_ns() const {
  const auto delta = delta_ns();
  if (!delta) return static_cast<double>(std::max(a_total_ns, b_total_ns));
  return std::abs(*delta) * static_cast<double>(std::min(a_count, b_count));
}

std::vector<StepRow> step_rows(const GraphReplays& replays) {
  std::vector<StepRow> rows;
  auto work = work_by_step(replays);
  const std::int64_t offset_ns = file_offset_ns(replays);
  std::map<std::string, std::vector<std::size_t>> by_device;
  for (std::size_t s = 0; s < replays.steps.size(); ++s) {
    const ServerStep& step = replays.steps[s];
    const HostThread& thread = replays.host->threads()[step.thread];
    StepRow row{.step = static_cast<std::int64_t>(s),
                .name = replays.capture.strings.get(step.name),
                .process = thread.process,
                .thread = thread.thread,
                .says = &step.says,
                .start_ns = step.start_ns + offset_ns,
                .host_ns = step.end_ns - step.start_ns};
    add_device_times(replays, work[s], offset_ns, row);
    if (row.work > 0) by_device[step_device(replays, work[s])].push_back(s);
    rows.push_back(row);
  }
  add_periods(by_device, rows);
  return rows;
}

std::optional<SteadyRow> steady_row(const std::vector<StepRow>& rows) {
  std::vector<const StepRow*> serving;
  std::int64_t most = 0;
  for (const StepRow& row : rows) {
    if (!serves(row)) continue;
    serving.push_back(&row);
    most = std::max(most, *row.says->requests);
  }
  std::size_t first = 0, length = 0;
  for (std::size_t begin = 0, i = 0; i < serving.size(); ++i) {
    if (10 * *serving[i]->says->requests < 9 * most) {
      begin = i + 1;
    } else if (i + 1 - begin > length) {
      first = begin, length = i + 1 - begin;
    }
  }
  if (length == 0) return std::nullopt;
  SteadyRow steady = sum_up(std::span(serving).subspan(first, length));
  steady.requests_max = most;
  return steady;
}

ChosenWork::ChosenWork(const GraphReplays& replays, const StepChoice& choice, std::vector<bool> items)
    : are_all_steps_(choice.is_all()), is_all_(are_all_steps_ && items.empty()), items_(std::move(items)) {
  if (is_all_) return;
  const auto steady = choice.is_steady ? steady_row(step_rows(replays)) : std::nullopt;
  for (std::size_t s = 0; s < replays.steps.size(); ++s) {
    const auto step = static_cast<std::int64_t>(s);
    const bool is_in_window = !choice.is_steady || (steady && step >= steady->first_step && step <= steady->last_step);
    const bool is_named = !choice.steps || (step >= choice.steps->first && step <= choice.steps->second);
    const bool is_of_phase = !choice.phase || replays.steps[s].says.phase == choice.phase;
    is_chosen_.push_back(is_in_window && is_named && is_of_phase);
  }
  if (items_.empty()) return;
  std::vector<bool> has_work(is_chosen_.size());
  for (std::uint32_t i = 0; i < replays.work.size(); ++i) {
    if (replays.work[i].step != kNoId && items_[replays.first_item + i]) has_work[replays.work[i].step] = true;
  }
  for (std::size_t s = 0; s < is_chosen_.size(); ++s) is_chosen_[s] = is_chosen_[s] && has_work[s];
}

bool ChosenWork::has_replay(const GraphReplays& replays, std::uint32_t replay) const {
  return std::ranges::any_of(replays.replays[replay].items, [&](std::uint32_t i) { return has_work(replays, i); });
}

std::vector<LayerRow> layer_rows(const GraphReplays& replays, const ChosenWork& chosen) {
  return sum_layers<LayerRow>(replays, chosen, [](const SaidOfWork&, std::uint32_t) { return ModuleKind::kOther; });
}

std::vector<LayerKindRow> layer_kind_rows(const GraphReplays& replays, const ChosenWork& chosen) {
  ModuleKinds kinds(replays);
  return sum_layers<LayerKindRow>(replays, chosen,
                                  [&](const SaidOfWork& said, std::uint32_t i) { return kinds.of(said, i); });
}

std::vector<PlaceRow> compare_places(const GraphReplays& a, const ChosenWork& a_chosen, const GraphReplays& b,
                                     const ChosenWork& b_chosen) {
  const PlaceSums before = sum_places(a, a_chosen), after = sum_places(b, b_chosen);
  std::map<std::pair<Place, std::int64_t>, PlaceRow> rows;
  const auto row_of = [&](const std::pair<Place, std::int64_t>& key) -> PlaceRow& {
    PlaceRow& row = rows[key];
    std::tie(row.phase, row.layer_index, row.piece, row.operator_name) = key.first;
    row.n = key.second;
    return row;
  };
  for (const auto& [key, sum] : before) {
    PlaceRow& row = row_of(key);
    row.a_name = sum.name, row.a_count = sum.count, row.a_total_ns = sum.total_ns, row.a_longest = sum.longest;
  }
  for (const auto& [key, sum] : after) {
    PlaceRow& row = row_of(key);
    row.b_name = sum.name, row.b_count = sum.count, row.b_total_ns = sum.total_ns, row.b_longest = sum.longest;
  }
  std::vector<PlaceRow> all;
  for (const auto& [key, row] : rows) all.push_back(row);
  return all;
}

}  // namespace vizd
