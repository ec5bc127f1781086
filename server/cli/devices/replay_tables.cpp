#include "cli/devices/replay_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/answers/replay_answers.h"
#include "analysis/graph_replay/compared_places.h"
#include "analysis/recorded/recordable.h"
#include "cli/command_line/absence.h"
#include "cli/devices/answer_records.h"
#include "derived/naming_sources.h"

namespace vizd {
namespace {

void print_unused(const GraphReplays& replays) {
  constexpr std::size_t kMostLines = 12;
  const std::vector<std::string> lines = unused_sources(replays);
  for (const std::string& line : first_rows(lines, kMostLines)) print_error("vizd: not used: {}\n", line);
  if (lines.size() > kMostLines) print_error("vizd: not used: {} more\n", lines.size() - kMostLines);
}

template <typename Row>
void cut(std::vector<Row>& rows, std::size_t most) {
  if (most > 0 && rows.size() > most) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end());
}

// The replays of one rank, and what rows about them stand for: their time, all launches of their kernel, or the view
// that has them all.
struct RankReplays {
  const DeviceInput& input;
  const GraphReplays& replays;

  RowId id_of(const NamingRow&) const { return input.ids.of("view:graph-nodes"); }
  RowId id_of(const GraphRow&) const { return input.ids.of("view:graph-nodes"); }
  RowId id_of(const LayerRow&) const { return input.ids.of("view:model-layers"); }
  RowId id_of(const NodeRow& row) const { return input.id_of_kernel(row.name); }
  RowId id_of(const ReplayRow& row) const { return id_of_file_time(row.start_ns, row.end_ns); }
  RowId id_of(const StepRow& row) const { return id_of_file_time(row.start_ns, row.start_ns + row.host_ns); }
  RowId id_of(const SteadyRow&) const { return input.ids.of("view:server-steps"); }

 private:
  RowId id_of_file_time(std::int64_t from_ns, std::int64_t to_ns) const {
    const std::int64_t offset_ns = file_offset_ns(replays);
    return input.id_of_time(from_ns - offset_ns, to_ns - offset_ns);
  }
};

// Prints the chosen columns; nothing where there are no rows.
template <typename Row>
void print_replay_rows(const RankReplays& rank, const Fields<ReplayLine<Row>>& fields, std::string_view shown,
                       const std::vector<Row>& rows, bool json) {
  std::vector<ReplayLine<Row>> lines;
  for (const Row& row : rows) lines.push_back({rank.replays, row});
  const auto ids = if_links<ReplayLine<Row>>([&](const ReplayLine<Row>& line) { return rank.id_of(line.row); });
  if (json) return print_json_rows(fields, lines, ids);
  if (!lines.empty()) shown_records(choose_fields(fields, shown), lines, ids).print(stdout, false);
}

void print_nodes(const RankReplays& rank, std::vector<NodeRow> rows, std::size_t most, bool json) {
  if (!json) std::ranges::stable_sort(rows, std::greater(), [](const NodeRow& row) { return row.durations.total_ns; });
  cut(rows, most);
  if (!json) {
    return print_replay_rows(rank, node_fields(),
                             "graph node found layer_index piece operator count total_ns median_ns p99_ns max_ns "
                             "slowest_replay name",
                             rows, json);
  }
  std::string text;
  for (const NodeRow& row : rows) {
    JsonWriter writer(text);
    const ReplayLine<NodeRow> line{rank.replays, row};
    write_row(writer, node_fields(), line, [&](JsonWriter& more) { write_captured_inputs(more, line); });
    if (wants_links()) add_id(text, rank.id_of(row), false);
    text += '\n';
  }
  print_answer("{}", text);
}

std::string naming_text(const NamingRow& row) {
  const std::int64_t named = row.found.id + row.found.order + row.found.guessed + row.own_operator + row.own_stack;
  std::string text = fmt::format("{} of {} kernels named", named, row.kernels);
  if (row.found.id > 0) text += fmt::format(", {} by their node", row.found.id);
  if (row.found.order > 0) text += fmt::format(", {} by order", row.found.order);
  if (row.found.guessed > 0) text += fmt::format(", about {} guessed", row.found.guessed);
  return text;
}

void print_graphs(const RankReplays& rank, const ChosenWork& steps, std::size_t most, bool json) {
  const NamingRow naming = naming_row(rank.replays, steps);
  if (json) {
    print_replay_rows(rank, naming_fields(), "", std::vector{naming}, json);
  } else {
    print_answer("{}\n\n", naming_text(naming));
  }
  std::vector<GraphRow> rows = graph_rows(rank.replays, steps);
  cut(rows, most);
  print_replay_rows(rank, graph_fields(),
                    "graph device replays nodes streams capture range size mode candidates fit id order guessed none",
                    rows, json);
}

void print_steps(const RankReplays& rank, const ChosenWork& steps, std::size_t most, bool json) {
  std::vector<StepRow> rows = step_rows(rank.replays);
  const auto steady = steady_row(rows);
  std::erase_if(rows, [&](const StepRow& row) { return !steps.has(static_cast<std::uint32_t>(row.step)); });
  cut(rows, most);
  print_replay_rows(
      rank, step_fields(),
      "step spelling phase requests padded tokens replays kernels host_ns device_span_ns busy_ns period_ns "
      "tokens_per_s",
      rows, json);
  if (!steady) return;
  if (!json) print_answer("\nSteady window\n");
  print_replay_rows(rank, steady_fields(),
                    "first_step last_step steps requests_max tokens span_ns tokens_per_s decode_period_median_ns",
                    std::vector{*steady}, json);
}

void print_one(const RankReplays& rank, ReplayAnswer answer, const StepChoice& choice, std::size_t most, bool json) {
  const GraphReplays& replays = rank.replays;
  const ChosenWork steps(replays, choice);
  switch (answer) {
    case ReplayAnswer::kGraphs:
      return print_graphs(rank, steps, most, json);
    case ReplayAnswer::kReplays: {
      std::vector<ReplayRow> rows = replay_rows(replays, steps);
      cut(rows, most);
      const bool is_any_lost =
          std::ranges::any_of(rows, [](const ReplayRow& row) { return row.not_recorded_ns.has_value(); });
      return print_replay_rows(rank, replay_fields(),
                               fmt::format("replay graph launch step work span_ns busy_ns idle_ns {}launch_to_start_ns "
                                           "gap_before_ns missing id order guessed none",
                                           is_any_lost ? "not_recorded_ns " : ""),
                               rows, json);
    }
    case ReplayAnswer::kNodes:
      return print_nodes(rank, node_rows(replays, steps), most, json);
    case ReplayAnswer::kSteps:
      return print_steps(rank, steps, most, json);
    case ReplayAnswer::kLayers: {
      std::vector<LayerRow> rows = layer_rows(replays, steps);
      cut(rows, most);
      return print_replay_rows(rank, layer_fields(), "phase layer piece work total_ns steps per_step_ns percent", rows,
                               json);
    }
  }
}

// Without graphs or steps too: each rank then has none.
std::shared_ptr<const NamedReplays> replays_of(const DeviceInput& input) {
  return input.replays ? input.replays : find_named_replays(*input.loaded, input.analysis);
}

// Why an answer is empty; nothing where it is not.
std::optional<Absence> why_empty(const Capture& capture, const GraphReplays& replays, ReplayAnswer answer) {
  if (answer == ReplayAnswer::kSteps && replays.steps.empty()) return not_recorded(capture, Recordable::kServerSteps);
  const bool is_of_replays = answer == ReplayAnswer::kReplays || answer == ReplayAnswer::kNodes;
  if (!is_of_replays || !replays.replays.empty()) return std::nullopt;
  if (auto lacking = if_not_recorded(capture, Recordable::kGraphLaunches)) return lacking;
  return Absence{Nothing::kNone, "no graph was replayed", ""};
}

}  // namespace

void print_replay_answer(const DeviceInput& input, ReplayAnswer answer, const StepChoice& steps, std::size_t most,
                         bool json) {
  const auto found = replays_of(input);
  for (const GraphReplays& replays : found->ranks) {
    print_unused(replays);
    if (const auto absence = why_empty(input.loaded->capture, replays, answer))
      print_absence(*absence, input.set.name, json);
    print_one({input, replays}, answer, steps, most, json);
  }
}

DecodeChange print_compared_places(const DeviceInput& a, const DeviceInput& b, const StepChoice& steps,
                                   std::size_t most, bool json) {
  const auto before = replays_of(a), after = replays_of(b);
  for (const NamedReplays* const side : {before.get(), after.get()}) {
    for (const GraphReplays& replays : side->ranks) print_unused(replays);
  }
  const ComparedPlaces compared = compare_servers(*before, *after, steps);
  const DecodeChange change{compared.a_decode_ns, compared.b_decode_ns};
  std::vector<PlaceLine> lines;
  for (const PlaceRow& row : first_rows(compared.rows, most)) lines.push_back({row});
  const auto ids = if_links<PlaceLine>([&](const PlaceLine& line) {
    return line.row.b_name ? b.id_of_kernel(*line.row.b_name) : a.id_of_kernel(line.row.a_name.value_or(""));
  });
  const auto percent = change.percent();
  if (json) {
    const WriteMore write_verdict = [&](JsonWriter& writer) {
      writer.key("verdict").begin_object().key("of").text("decode step").key("change_percent").real(*percent);
      writer.key("a_median_ns").real(*change.a_median_ns).key("b_median_ns").real(*change.b_median_ns).end_object();
    };
    print_json_rows(place_fields(), lines, ids, percent ? write_verdict : WriteMore());
    return change;
  }
  if (lines.empty()) {
    print_absence(not_recorded(a.loaded->capture, Recordable::kServerSteps), a.set.name, json);
    return change;
  }
  if (percent) {
    print_answer("{} by {:.2f} %: the median decode step takes {} before, {} after\n\n",
                 *percent > 0 ? "Slower" : "Faster", std::abs(*percent), duration_text(*change.a_median_ns),
                 duration_text(*change.b_median_ns));
  }
  shown_records(choose_fields(place_fields(),
                              "phase layer_index piece operator n a_count b_count a_mean_ns b_mean_ns delta_ns state "
                              "a_name b_name"),
                lines, ids)
      .print(stdout, false);
  return change;
}

void print_naming(const LoadedCapture& loaded) {
  const auto found =
      find_named_replays(loaded, std::make_shared<const DeviceAnalysis>(analyse_devices(loaded.capture)));
  for (const GraphReplays& replays : found->ranks) {
    if (replays.replays.empty()) continue;
    const ChosenWork all(replays, {});
    print_answer("\nGraphs: {}, replayed {} times; {}\n", replays.graphs.size(), replays.replays.size(),
                 naming_text(naming_row(replays, all)));
  }
}

}  // namespace vizd
