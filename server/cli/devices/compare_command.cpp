// vizd compare A B: what changed from one profile to the next, kernel by kernel, and whether it is too much.
#include <fmt/core.h>

#include <array>
#include <cstdlib>
#include <set>

#include "analysis/answers/device_answers.h"
#include "analysis/answers/verdict_json.h"
#include "base/standard_streams.h"
#include "base/whole_number.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/output_file.h"
#include "cli/command_line/pipes.h"
#include "cli/devices/answer_records.h"
#include "cli/devices/compare_report.h"
#include "cli/devices/device_inputs.h"
#include "cli/devices/replay_tables.h"
#include "cli/devices/scope_arguments.h"
#include "cli/devices/value_gaps.h"
#include "cli/devices/verdict_text.h"
#include "cli/memory/memory_comparison.h"
#include "cli/memory/memory_inputs.h"

namespace vizd {
namespace {

constexpr int kExitRegressed = 3;

struct CompareArguments {
  std::vector<std::string> paths;
  std::string format;  // of both, where it is told
  std::string step_name;
  ScopeArguments scope;  // likewise
  ServerStepArguments server;
  bool nodes = false;  // of graph replays, in place of kernels
  std::string join = "name", most_regress, most_kernel_regress;
  std::size_t limit = 0;
  OutputFile::Place report;  // without a path: none
  bool json = false, rewrites = false;
  bool values = false;  // those that the programs logged, in place of kernels
  std::size_t iteration = 0;
  std::string comparator;
  std::vector<std::string> ranges, devices;  // of memories: before and after

  // Markdown, by the report's suffix; else HTML. None: neither.
  std::optional<bool> is_markdown() const {
    if (report.path.ends_with(".md")) return true;
    return report.path.ends_with(".html") ? std::optional(false) : std::nullopt;
  }
};

// "3%" or "3": 3.
std::optional<double> percent_of(const std::string& text) {
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  const std::string_view rest(end);
  if (end == text.c_str() || (!rest.empty() && rest != "%") || !(percent >= 0)) return std::nullopt;
  return percent;
}

struct Totals {
  std::int64_t a_ns = 0, b_ns = 0;
  double change_percent() const {
    return a_ns == 0 ? 0 : 100 * static_cast<double>(b_ns - a_ns) / static_cast<double>(a_ns);
  }
};

Totals totals_of(const std::vector<ComparedKernel>& rows) {
  Totals totals;
  for (const ComparedKernel& row : rows) {
    totals.a_ns += row.a.total_ns;
    totals.b_ns += row.b.total_ns;
  }
  return totals;
}

InputArguments inputs_of(const std::string& path, const std::string& format) {
  InputArguments inputs;
  inputs.paths = {path};
  inputs.read_as = format;
  return inputs;
}

// Where both are memory snapshots: how the two compare, as an exit code.
std::optional<int> compare_snapshots(const CompareArguments& arguments) {
  std::vector<InputSet> sides;
  Sniffer sniffer;
  for (const std::string& path : arguments.paths) {
    const auto sets = inputs_of(path, arguments.format).all_sets(sniffer);
    if (sets.size() != 1 || !is_snapshot(sets[0])) return std::nullopt;
    sides.push_back(sets[0]);
  }
  const std::string& limit = arguments.most_regress;
  const auto part = [&](std::size_t side) {
    MemoryChoice choice;
    if (!arguments.devices.empty()) choice.device = whole_number(arguments.devices[side]);
    if (!arguments.ranges.empty()) choice.range = arguments.ranges[side];
    return choice;
  };
  const auto has_regressed =
      print_memory_comparison({.a = sides.front(),
                               .b = sides.size() == 2 ? std::optional(sides[1]) : std::nullopt,
                               .a_part = part(0),
                               .b_part = part(1),
                               .limit = arguments.limit,
                               .most_regress_percent = limit.empty() ? std::nullopt : percent_of(limit),
                               .json = arguments.json});
  if (!has_regressed) return kExitFailure;
  return *has_regressed ? kExitRegressed : kExitOk;
}

// All the work of one side: its ranks are summed.
std::optional<DeviceInput> open_side(const std::string& path, const CompareArguments& arguments) {
  InputArguments named = inputs_of(path, arguments.format);
  named.step_name = arguments.step_name;
  auto inputs = open_device_inputs(named);
  if (!inputs) return std::nullopt;
  if (inputs->size() == 1) {
    inputs->front().take_host_if_no_device();
    return std::move(inputs->front());
  }
  print_error("vizd compare: {} contains {} captures; name one of them\n", path, inputs->size());
  return std::nullopt;
}

void print_rows(const std::vector<ComparedKernel>& rows, const std::optional<ComparisonVerdict>& verdict,
                KernelJoin join, const DeviceInput& a, const DeviceInput& b, const CompareArguments& arguments) {
  std::vector<ComparisonLine> lines;
  for (const ComparedKernel& row : first_rows(rows, arguments.limit)) lines.push_back({row, join});
  const auto fields = comparison_fields(join);
  // In B, unless only A has it.
  const IdOfLine<ComparisonLine> id_of = [&](const ComparisonLine& line) {
    const bool is_name = join == KernelJoin::kName && !line.row.name.empty();
    return is_name ? (line.row.b.launches > 0 ? b : a).id_of_kernel(line.row.name) : RowId();
  };
  if (arguments.json) {
    const WriteMore write_it = [&](JsonWriter& json) { write_verdict(json.key("verdict"), *verdict); };
    return print_json_rows(fields, lines, if_links(id_of), verdict ? write_it : WriteMore());
  }
  b.say_if_of_host();
  if (verdict) {
    for (const std::string& line : verdict_lines(*verdict)) print_answer("{}\n", line);
    print_answer("\n");
  }
  const std::string shown =
      fmt::format("change_word {} a_total_ns b_total_ns delta_total_ns total_ratio median_change_ns label",
                  is_of_operators(join) ? "a_calls b_calls" : "a_launches b_launches");
  shown_records(choose_fields(fields, shown), lines, id_of).print(stdout, false);
  const Totals totals = totals_of(rows);
  print_answer("\nAll work: {} before, {} after, {} ({:+.2f} %)\n", duration_text(static_cast<double>(totals.a_ns)),
               duration_text(static_cast<double>(totals.b_ns)),
               change_text(static_cast<double>(totals.b_ns - totals.a_ns)), totals.change_percent());
}

// Finds, among the changed kernels, those that a compiler made in both captures; the largest change first.
std::vector<KernelRewriteChanges> find_rewrites(const Capture& a, const Capture& b,
                                                const std::vector<ComparedKernel>& rows) {
  constexpr std::size_t kMostKernels = 20;
  std::vector<KernelRewriteChanges> changes;
  if (!a.has_rewrites || !b.has_rewrites) return changes;
  std::set<std::string> seen;
  for (const ComparedKernel& row : rows) {
    if (changes.size() == kMostKernels || row.delta_total_ns() == 0) break;
    if (row.name.empty() || !seen.insert(row.name).second) continue;
    const auto of_a = find_kernel_context(a, row.name), of_b = find_kernel_context(b, row.name);
    if (!of_a || !of_b) continue;
    auto rules = compare_kernel_rewrites(a, *of_a, b, *of_b);
    if (!rules.empty()) changes.push_back({row.name, std::move(rules)});
  }
  return changes;
}

void print_rewrites(const std::vector<KernelRewriteChanges>& changes, bool json) {
  Records records({"kernel", "pass", "a_matches", "b_matches", "rule"});
  for (const auto& [kernel, rules] : changes) {
    for (const ChangedRule& rule : rules)
      records.add({kernel, rule.pass, rule.a_matches, rule.b_matches, fmt::format("{}:{}", rule.file, rule.line)});
  }
  if (json || !records.empty()) {
    if (!json) print_answer("\n");
    records.print(stdout, json);
  } else {
    print_answer("\nFor no changed kernel do both captures have rewrites that differ.\n");
  }
}

// Whether rows that both have take that much longer a launch; says which.
bool have_kernels_regressed(const std::vector<ComparedKernel>& rows, KernelJoin join, const std::string& limit) {
  constexpr std::size_t kMostNamed = 10;
  std::vector<const ComparedKernel*> slower;
  for (const ComparedKernel& row : rows) {
    if (row.is_slower_by(*percent_of(limit))) slower.push_back(&row);
  }
  if (slower.empty()) return false;
  print_error("vizd compare: the median launch takes more than {1} longer for {0}:\n",
              is_of_operators(join) ? "operators" : "kernels", limit);
  const auto fields = comparison_fields(join);
  const auto& label = find_field(fields, "label").value;
  for (const ComparedKernel* const row : first_rows(slower, kMostNamed)) {
    print_error("  {:+.1f} %, {} to {}: {}\n", *row->slowdown_percent(), duration_text(row->a.median_ns),
                duration_text(row->b.median_ns), std::get<std::string>(label({*row, join})));
  }
  if (slower.size() > kMostNamed) print_error("  and {} more\n", slower.size() - kMostNamed);
  return true;
}

// What a run exits with whose median decode step may take so much longer.
int judge_decode(const DecodeChange& change, const std::string& limit) {
  const auto percent = change.percent();
  if (!percent) {
    print_error("vizd compare: --max-regress: no decode step of a server was found in {}\n",
                change.a_median_ns ? "the second" : "the first");
    return kExitFailure;
  }
  if (*percent <= *percent_of(limit)) return kExitOk;
  print_error("vizd compare: the median decode step takes {:.2f} % longer, more than {}\n", *percent, limit);
  return kExitRegressed;
}

ComparedSide side_of(const DeviceInput& input, const CompareArguments& arguments) {
  const WorkScope scope = arguments.scope.scope();
  return {input.set.name, make_breakdowns(input.in(scope.of_breakdowns())->work,
                                          scope.breakdown_options(input.loaded->capture.profile))};
}

std::optional<ComparisonVerdict> judge(const DeviceInput& a, const DeviceInput& b, const WorkScope& scope,
                                       const std::vector<ComparedKernel>& rows) {
  const auto before = a.in(scope.of_breakdowns()), after = b.in(scope.of_breakdowns());
  const Capture& a_capture = a.loaded->capture;
  const Capture& b_capture = b.loaded->capture;
  return judge_comparison({a_capture, before->work, scope.breakdown_options(a_capture.profile)},
                          {b_capture, after->work, scope.breakdown_options(b_capture.profile)}, rows);
}

Result<void> write_report(const DeviceInput& a, const DeviceInput& b, const std::vector<ComparedKernel>& rows,
                          const std::optional<ComparisonVerdict>& verdict,
                          const std::vector<KernelRewriteChanges>& rewrites, const CompareArguments& arguments) {
  std::vector<std::string> files = paths_of(a.set);
  for (const std::string& file : paths_of(b.set)) files.push_back(file);
  auto file = OutputFile::create(arguments.report, files);
  if (!file) return std::move(file).error();
  const std::optional<double> limit =
      arguments.most_regress.empty() ? std::nullopt : percent_of(arguments.most_regress);
  const Report report = compare_report(side_of(a, arguments), side_of(b, arguments), rows, verdict, rewrites, limit);
  (*file)->write(*arguments.is_markdown() ? report.markdown() : report.html());
  const auto size_bytes = (*file)->finish();
  return size_bytes ? Result<void>() : Result<void>(size_bytes.error());
}

}  // namespace

int run_compare(int argc, const char* const* argv) {
  CommandLine line(
      "vizd compare",
      "What changed from one profile to another: whether it is slower, by how much and in which class of work; then "
      "each\nkernel's launches and time, and whether it was added, removed or changed, the largest change first. The "
      "change of a\nmedian is given with its 95 % confidence interval. For two memory snapshots, or two steps or "
      "devices of one: what is\nallocated at the end and at the peak, by line of the user's code.");
  CompareArguments arguments;
  line.positional("files", "A B", arguments.paths,
                  "The profile before and the profile after, or one memory snapshot; - reads from a pipe")
      .required();
  line.option(
          "--by WORD [name]", arguments.join,
          "Join by exact name, by family (without template arguments, hashes and numbers), by operator, by operator "
          "and the types and shapes of its inputs, or by name and order among the launches with that name in the step")
      .one_of({std::begin(kKernelJoinNames), std::end(kKernelJoinNames)});
  arguments.scope.describe(line);
  line.option("--limit N [all]", arguments.limit, "At most this many rows");
  line.option("--max-regress PERCENT", arguments.most_regress,
              "Exit with 3 if all work takes this much longer, for CI: 3%; with --nodes if the median decode step "
              "does, for two memory snapshots if the peak of allocated bytes is this much higher");
  line.option("--max-regress-kernel PERCENT", arguments.most_kernel_regress,
              "Exit with 3 if the median launch of any kernel, or the median call of any operator, that both have "
              "takes this much longer, and the change is significant: 10%");
  OutputFile::describe(line, arguments.report, "--report FILE",
                       "Also write the comparison as a page: .md for a pull request, or a self-contained .html");
  line.flag("--rewrites", arguments.rewrites,
            "For changed kernels, which rules matched how often in each capture, if both have rewrites");
  line.flag("--nodes", arguments.nodes,
            "Instead of kernels: compare two runs of a server node by node, joined by phase, layer, piece, operator "
            "and order in the step");
  arguments.server.describe(line);
  line.flag("--values", arguments.values,
            "Instead of kernels: how far the values logged by B are from those of A, output by output, and where the "
            "error first grows; for ETDumps with their debug buffers");
  line.option("--iteration N [0]", arguments.iteration, "With --values: the iteration to compare, from 0");
  line.option("--comparator PROGRAM", arguments.comparator,
              "With --values: your own program, which gets two .npy files, A's value and B's, and prints how far apart "
              "they are");
  line.option("--ranges A,B", arguments.ranges,
              "For memory snapshots: the range of the program before and the range after, such as "
              "ProfilerStep#1,ProfilerStep#9")
      .split_at(',');
  line.option("--devices A,B", arguments.devices,
              "For memory snapshots: the number of the device before and of the device after")
      .split_at(',');
  line.flag("--json", arguments.json, "Print JSON, one record per line").under(kCommonOptions);
  describe_wide_tables(line);
  InputArguments::describe_format(line, arguments.format);
  InputArguments::describe_step_name(line, arguments.step_name);
  line.check([&]() -> std::string {
    if (arguments.values && arguments.paths.size() != 2) return "--values: name two profiles";
    if (arguments.paths.empty() || arguments.paths.size() > 2) return "name two profiles, or one memory snapshot";
    if (!arguments.ranges.empty() && arguments.ranges.size() != 2)
      return "--ranges: name the range before and the range after, such as ProfilerStep#1,ProfilerStep#9";
    if (!arguments.devices.empty() &&
        (arguments.devices.size() != 2 || !whole_number(arguments.devices[0]) || !whole_number(arguments.devices[1])))
      return "--devices: give the numbers of the device before and the device after: 0,1";
    if (!arguments.report.path.empty() && !arguments.is_markdown())
      return "--report: '" + arguments.report.path + "' must end in .md or .html";
    for (const auto& [option, limit] : {std::pair("--max-regress", &arguments.most_regress),
                                        std::pair("--max-regress-kernel", &arguments.most_kernel_regress)}) {
      if (!limit->empty() && !percent_of(*limit)) return fmt::format("{}: '{}' is not a percentage", option, *limit);
    }
    return take_pipes({arguments.paths.begin(), arguments.paths.end()});
  });
  if (const auto code = line.parse(argc, argv)) return *code;
  if (arguments.values) {
    return print_value_gaps({.reference = arguments.paths[0],
                             .run = arguments.paths[1],
                             .format = arguments.format,
                             .iteration = arguments.iteration,
                             .comparator = arguments.comparator,
                             .limit = arguments.limit,
                             .json = arguments.json});
  }
  if (const auto code = compare_snapshots(arguments)) return *code;
  if (arguments.paths.size() != 2)
    return line.refuse("name two profiles; --ranges and --devices compare parts of one memory snapshot only");
  const std::string problem =
      arguments.nodes ? arguments.scope.problem_of_replays() : arguments.scope.problem_of_others(arguments.server);
  if (!problem.empty()) return line.refuse(problem);
  const auto a = open_side(arguments.paths[0], arguments);
  const auto b = a ? open_side(arguments.paths[1], arguments) : std::nullopt;
  if (!b) return kExitFailure;
  if (arguments.nodes) {
    const DecodeChange change = print_compared_places(*a, *b, arguments.server.choice(arguments.scope.steps()),
                                                      arguments.limit, arguments.json);
    return arguments.most_regress.empty() ? kExitOk : judge_decode(change, arguments.most_regress);
  }
  const KernelJoin join = *kernel_join(arguments.join);
  const WorkScope scope = arguments.scope.scope();
  const std::array sides{*a, *b};
  if (!has_scope(sides, scope, "compare")) return kExitFailure;
  const auto before = a->in(scope), after = b->in(scope);
  const auto rows = compare_kernels({a->loaded->capture, before->work, before->operators},
                                    {b->loaded->capture, after->work, after->operators}, join);
  const auto verdict = judge(*a, *b, scope, rows);
  print_rows(rows, verdict, join, *a, *b, arguments);
  const bool wants_rewrites = arguments.rewrites || !arguments.report.path.empty();
  const auto rewrites = wants_rewrites && !is_of_operators(join)
                            ? find_rewrites(a->loaded->capture, b->loaded->capture, rows)
                            : std::vector<KernelRewriteChanges>();
  if (arguments.rewrites) print_rewrites(rewrites, arguments.json);
  if (!arguments.report.path.empty()) {
    const auto written = write_report(*a, *b, rows, verdict, rewrites, arguments);
    if (!written) {
      print_error("vizd compare: {}\n", written.error().text());
      return kExitFailure;
    }
  }
  const double change = totals_of(rows).change_percent();
  const bool has_regressed = !arguments.most_regress.empty() && change > *percent_of(arguments.most_regress);
  if (has_regressed)
    print_error("vizd compare: all work takes {:.2f} % longer, more than {}\n", change, arguments.most_regress);
  const bool have_kernels =
      !arguments.most_kernel_regress.empty() && have_kernels_regressed(rows, join, arguments.most_kernel_regress);
  return has_regressed || have_kernels ? kExitRegressed : kExitOk;
}

}  // namespace vizd
