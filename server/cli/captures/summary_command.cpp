// vizd summary FILE: where the compiler's matches and the devices' time went: passes, rules and events by name,
// programs that ran.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "analysis/figures/busy_time.h"
#include "analysis/figures/executions.h"
#include "analysis/figures/range_table.h"
#include "base/parallel.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/records.h"
#include "cli/devices/compile_table.h"
#include "cli/devices/replay_tables.h"
#include "cli/devices/server_step_arguments.h"
#include "cli/rewrites/pass_filter.h"
#include "reference/programs.h"

namespace vizd {
namespace {

struct SummaryArguments {
  CommonArguments common;
  PassFilter passes;
  SummaryOptions own;
  std::string name, step;
  std::size_t limit = 20;
  ServerStepArguments server;
  bool graphs = false, steps = false;
};

// What there is to say of the options of graph replays; "": nothing.
std::string problem_of_replays(const SummaryArguments& arguments) {
  const bool is_narrowed = arguments.server.is_given() || !arguments.step.empty();
  if (is_narrowed && !arguments.graphs && !arguments.steps)
    return "--phase, --steady and --step need --graphs or --steps";
  if (!arguments.step.empty() && !parse_step_numbers(arguments.step))
    return "--step: '" + arguments.step + "' is neither a number nor a range A..B";
  return "";
}

// Graphs or the server's steps, of each capture.
int print_replays(const SummaryArguments& arguments, bool is_limited) {
  const auto inputs = open_device_inputs(arguments.common.inputs);
  if (!inputs) return kExitFailure;
  const auto steps = arguments.step.empty() ? std::nullopt : parse_step_numbers(arguments.step);
  for (const DeviceInput& input : *inputs)
    print_replay_answer(input, arguments.graphs ? ReplayAnswer::kGraphs : ReplayAnswer::kSteps,
                        arguments.server.choice(steps), is_limited ? arguments.limit : 0, arguments.common.json);
  return kExitOk;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The keys of a map by what they count, the most first, at most so many.
template <typename Key, typename Sum, typename Weight>
std::vector<std::pair<Key, Sum>> top(const std::map<Key, Sum>& sums, std::size_t limit, Weight&& weight) {
  std::vector<std::pair<Key, Sum>> all(sums.begin(), sums.end());
  std::ranges::stable_sort(all, std::greater(), [&](const auto& item) { return weight(item.second); });
  all.resize(std::min(all.size(), limit));
  return all;
}

struct PassSum {
  std::int64_t passes = 0, matches = 0;
};

Records summed_passes(const Capture& capture, const SummaryArguments& arguments) {
  std::map<std::string, PassSum> sums;
  for (const PassRef& ref : arguments.passes.select(capture)) {
    const std::string name(capture.strings.get(ref.of->name));
    if (!contains(name, arguments.name)) continue;
    PassSum& sum = sums[name];
    ++sum.passes;
    sum.matches += ref.of->match_count;
  }
  Records records({"pass", "passes", "matches"});
  for (const auto& [name, sum] : top(sums, arguments.limit, [](const PassSum& s) { return s.matches; })) {
    records.add({name, sum.passes, sum.matches});
  }
  return records;
}

struct RuleSum {
  std::int64_t matches = 0;
  std::optional<double> seconds;  // where the capture has times
};

Records summed_rules(const Capture& capture, const SummaryArguments& arguments) {
  std::map<LocationId, RuleSum> sums;
  for (const PassRef& ref : arguments.passes.select(capture)) {
    for (const Match& match : capture.rewrites.matches_of(*ref.of)) {
      RuleSum& sum = sums[match.rule];
      ++sum.matches;
      if (match.dur_s >= 0) sum.seconds = sum.seconds.value_or(0) + match.dur_s;
    }
  }
  std::erase_if(sums, [&](const auto& item) { return !contains(location_text(capture, item.first), arguments.name); });
  Records records({"rule", "matches", "ms"});
  for (const auto& [rule, sum] : top(sums, arguments.limit, [](const RuleSum& s) { return s.matches; })) {
    records.add({location_text(capture, rule), sum.matches, sum.seconds ? Cell(*sum.seconds * 1000) : Cell()});
  }
  return records;
}

// Everything from begin to end.
struct WholeProfile {
  const LoadedCapture& loaded;
  std::vector<LaneRow> rows;
  RangeTime time;

  explicit WholeProfile(const LoadedCapture& of) : loaded(of) {
    std::vector<std::uint32_t> lanes(of.timeline.lanes.size());
    std::iota(lanes.begin(), lanes.end(), 0u);
    rows = rows_of(of.timeline, lanes);
    const Profile& profile = of.capture.profile;
    time = range_time(profile, of.timeline, rows, profile.start_ns, profile.end_ns, core_count());
  }
  // Up to its last moment: an instant there counts too.
  RangeTable table() const {
    const Profile& profile = loaded.capture.profile;
    return range_table(profile, loaded.timeline, rows, profile.start_ns, profile.end_ns + 1, TableLines::kNamesByLane,
                       core_count());
  }
};

Records lane_records(const WholeProfile& whole) {
  const Profile& profile = whole.loaded.capture.profile;
  const std::vector<std::string> paths = track_paths(profile.tracks, whole.loaded.capture.strings);
  Records records({"lane", "events", "wall_ns", "busy_ns", "busy"});
  for (std::size_t lane = 0; lane < profile.tracks.size(); ++lane) {
    const LaneIndex& index = whole.loaded.timeline.lanes[lane];
    if (index.row_count() == 0) continue;
    const std::int64_t wall_ns = profile.end_ns - profile.start_ns;
    records.add({paths[lane], static_cast<std::int64_t>(profile.tracks[lane].events.size()), wall_ns, index.busy_ns,
                 share_of_time(index.busy_ns, wall_ns)});
  }
  return records;
}

Records event_records(const WholeProfile& whole, const SummaryArguments& arguments) {
  const Capture& capture = whole.loaded.capture;
  const std::vector<std::string> paths = track_paths(capture.profile.tracks, capture.strings);
  Records records(
      {"event", "lane", "count", "total_ns", "self_ns", "share", "mean_ns", "median_ns", "p90_ns", "max_ns"});
  std::size_t shown = 0;
  for (const NameFigures& line : whole.table().names) {
    const std::string_view name = capture.strings.get(whole.loaded.timeline.names[line.name]);
    if (!contains(name, arguments.name) || ++shown > arguments.limit) continue;
    const Figures& sum = line.figures;
    records.add({std::string(name), paths[line.lane], static_cast<std::int64_t>(sum.count), sum.total_ns, sum.self_ns,
                 share_of_time(sum.covered_ns, whole.time.busy_ns), sum.mean_ns, sum.median_ns, sum.p90_ns,
                 sum.max_ns});
  }
  return records;
}

// The programs that ran, the most time first.
Records program_records(const LoadedCapture& loaded, const SummaryArguments& arguments) {
  const Capture& capture = loaded.capture;
  const Rewrites& rewrites = capture.rewrites;
  const auto name_of = [&](const ProgramFigures& program) {
    const bool is_alone = program.context == kNoId;
    return capture.strings.get(is_alone ? rewrites.programs[program.program].name
                                        : rewrites.contexts[program.context].name);
  };
  std::vector<ProgramFigures> programs = program_figures(capture, loaded.timeline);
  std::erase_if(programs, [&](const ProgramFigures& program) {
    return program.figures.count == 0 || !contains(name_of(program), arguments.name);
  });
  std::ranges::stable_sort(programs, std::greater(), [](const ProgramFigures& p) { return p.figures.total_ns; });
  programs.resize(std::min(programs.size(), arguments.limit));
  Records records({"program", "device", "count", "total_ns", "share", "mean_ns", "median_ns", "p90_ns", "max_ns"});
  for (const ProgramFigures& program : programs) {
    const Figures& sum = program.figures;
    records.add(
        {std::string(name_of(program)), std::string(capture.strings.get(rewrites.programs[program.program].device)),
         static_cast<std::int64_t>(sum.count), sum.total_ns, share_of_time(sum.covered_ns, program.device_busy_ns),
         sum.mean_ns, sum.median_ns, sum.p90_ns, sum.max_ns});
  }
  return records;
}

// What the text has beside the figures that people expect of a trace, as members of its first record: further records
// would be none of those.
std::string further_members(const LoadedCapture& loaded, const SummaryArguments& arguments) {
  const WholeProfile whole(loaded);
  std::string text;
  const auto add = [&](std::string_view key, const Records& records) {
    std::string rows = records.json();
    if (!rows.empty()) rows.pop_back();
    std::ranges::replace(rows, '\n', ',');
    text += fmt::format(",\"{}\":[{}]", key, rows);
  };
  add("lanes", lane_records(whole));
  add("names", event_records(whole, arguments));
  if (is_of_pytorch(loaded.capture)) add("compiles", compiles_table(loaded.capture));
  return text;
}

// Prints the figures that people expect of such captures: with json one record a line, else the tables of each rank.
Result<void> print_figures(const ReferenceProgram& program, const InputSet& set, const LoadedCapture& loaded,
                           const SummaryArguments& arguments) {
  const Capture& capture = loaded.capture;
  if (arguments.common.json) {
    OpenSet files(set);
    std::string further =
        capture.profile.is_trace && capture.profile.xla == nullptr ? further_members(loaded, arguments) : "";
    return program.summarize(files, capture, arguments.own, [&](std::string_view text) {
      const std::size_t end = further.empty() ? std::string_view::npos : text.find("}\n");
      if (end == std::string_view::npos) return print_answer("{}", text);
      print_answer("{}{}{}", text.substr(0, end), std::exchange(further, ""), text.substr(end));
    });
  }
  OpenSet files(set);
  auto all = program.summary_tables(files, capture, arguments.own);
  if (!all) return std::move(all).error();
  for (std::vector<OwnTable>& tables : *all) {
    bool is_first = true;
    for (OwnTable& table : tables) {
      if (table.rows.empty()) continue;
      if (!std::exchange(is_first, false)) print_answer("\n");
      Records(std::move(table)).print(stdout, false);
    }
    print_answer("\n");
  }
  return {};
}

}  // namespace

int run_summary(int argc, const char* const* argv) {
  CommandLine line("vizd summary", "Summarises a capture: passes and rules by matches, events by time.");
  SummaryArguments arguments;
  arguments.common.describe(line);
  arguments.passes.describe(line);
  line.option("--name TEXT", arguments.name, "Only passes, rules and events whose name contains this text");
  const Argument limit = line.option("--limit N [20]", arguments.limit, "At most this many of each");
  const Argument graphs = line.flag("--graphs", arguments.graphs,
                                    "Show replayed CUDA and HIP graphs instead, and how their kernels were named");
  line.flag("--steps", arguments.steps, "Show the steps of a model server instead, and its steady window")
      .excludes(graphs);
  arguments.server.describe(line);
  line.option("--step N", arguments.step, "For graph replays: only the step with this number, or the steps A..B");
  line.option("--reference VERSION", arguments.own.reference,
              "The figures of the format's own tool, by its version; with --json its events too")
      .one_of(reference_versions());
  line.option("--comparator PROGRAM", arguments.own.comparator,
              "With --json, for an ETDump: your own program as another measure of numeric gaps; it gets two .npy "
              "files, the reference's value and the run's, and prints a number");
  line.flag("--runs", arguments.own.lists_runs, "With --json: the runs in the files, if the format has runs");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (const std::string problem = problem_of_replays(arguments); !problem.empty()) return line.refuse(problem);
  if (arguments.graphs || arguments.steps) return print_replays(arguments, limit.is_given());
  const auto set = find_input(arguments.common);
  const auto input = set ? open_input(*set) : nullptr;
  if (!input) return kExitFailure;
  const Capture& capture = input->capture;
  const ReferenceProgram& program = reference_program(*set, capture);
  const bool has_records = program.summarize != nullptr;
  const bool reads_files = has_records && !program.format.empty();
  const bool asks_format = !arguments.own.reference.empty() || arguments.own.lists_runs;
  const char* option = arguments.own.lists_runs ? "--runs" : "--reference";
  const bool has_tables = program.summary_tables != nullptr && !arguments.own.lists_runs;
  if (asks_format && !(reads_files && (arguments.common.json || has_tables)))
    return line.refuse(reads_files ? fmt::format("{} needs --json", option)
                                   : fmt::format("{}: captures of this format have no figures of their own", option));
  if (has_records && (arguments.common.json || has_tables)) {
    if (const auto done = print_figures(program, *set, *input, arguments); !done) {
      print_error("vizd: {}\n", done.error().text());
      return kExitFailure;
    }
    if (arguments.common.json || !arguments.own.reference.empty()) return kExitOk;
  }
  const WholeProfile whole(*input);
  std::vector<Records> tables{summed_passes(capture, arguments), summed_rules(capture, arguments)};
  // Lanes have no figures of some names alone.
  if (arguments.name.empty()) tables.push_back(lane_records(whole));
  tables.push_back(event_records(whole, arguments));
  tables.push_back(program_records(*input, arguments));
  bool is_first = true;
  for (const Records& records : tables) {
    if (records.empty()) continue;
    if (!std::exchange(is_first, false) && !arguments.common.json) print_answer("\n");
    records.print(stdout, arguments.common.json);
  }
  if (!arguments.common.json && capture.profile.is_trace) print_naming(*input);
  if (arguments.name.empty() && is_of_pytorch(capture) && !arguments.common.json) {
    print_answer("\n");
    print_compiles(capture, {}, arguments.limit, false);
  }
  return kExitOk;
}

}  // namespace vizd
