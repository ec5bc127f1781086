// vizd kernels FILE..: what ran on the devices, by name, operator and more: how often, how long, how well.
#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "analysis/answers/device_answers.h"
#include "analysis/recorded/recordable.h"
#include "base/clean_text.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/table_file.h"
#include "cli/devices/answer_records.h"
#include "cli/devices/device_tables.h"
#include "cli/devices/replay_tables.h"
#include "cli/devices/scope_arguments.h"
#include "cli/devices/xla_tables.h"
#include "diagnosis/page_place.h"
#include "reference/inductor/estimates.h"

namespace vizd {
namespace {

constexpr std::string_view kLayers = "layer";  // of graph replays, which are no groups of the kernel table
constexpr std::string_view kHloOps = "hlo";    // of XLA's profiles, likewise

std::vector<std::string> group_words() {
  std::vector<std::string> words(std::begin(kKernelGroupNames), std::end(kKernelGroupNames));
  words.emplace_back(kLayers);
  words.emplace_back(kHloOps);
  return words;
}

struct KernelsArguments {
  CommonArguments common;
  ScopeArguments scope;
  ServerStepArguments server;
  KernelChoice choice;
  std::string group = "name", peaks, peak_type, to;
  OutputFile::Place output;
  std::size_t limit = 0, depth = 0;
  bool is_reference = false, as_tree = false, collectives = false, each = false, sequences = false;
  bool nodes = false;

  bool are_layers() const { return group == kLayers; }
  bool are_hlo_ops() const { return group == kHloOps; }
  bool are_replays() const { return nodes || are_layers(); }
  // Than a table of all rows with their figures.
  bool asks_for_more() const {
    return nodes || as_tree || collectives || sequences || is_reference || !to.empty() || !choice.category.empty();
  }
};

// The rows of a capture, at most as many as were asked for.
struct KernelLines {
  KernelLines(const DeviceInput& input, const DevicePeaks& peaks, const KernelsArguments& arguments)
      : analysis(input.in(arguments.scope.scope().without_kernel())),
        rows(make_kernel_table(input.loaded->capture, analysis->work, analysis->operators, analysis->figures, peaks,
                               arguments.choice)) {
    // All devices in one order: a list that is cut holds what took longest on any of them.
    std::ranges::stable_sort(rows, std::greater(), [](const KernelRow& row) { return row.durations.total_ns; });
    for (const KernelRow& row : first_rows(rows, arguments.limit))
      lines.push_back({input.loaded->capture, analysis->work, row, arguments.choice.group});
  }

  std::shared_ptr<const DeviceAnalysis> analysis;
  std::vector<KernelRow> rows;
  std::vector<KernelLine> lines;
};

// Groups by other things than names are no place of the page.
IdOfLine<KernelLine> ids_of_kernels(const DeviceInput& input) {
  return [&input](const KernelLine& line) {
    const bool is_name = line.group == KernelGroup::kName && line.row.key;
    return is_name ? input.id_of_kernel(*line.row.key) : RowId();
  };
}

Records shown_kernels(const DeviceInput& input, const KernelLines& kernels, KernelGroup group) {
  const auto has = [&](auto... count) {
    return std::ranges::any_of(kernels.lines, [&](const KernelLine& line) { return ((line.row.*count > 0) || ...); });
  };
  const auto fields = kernel_fields(group);
  const auto& known_of = find_field(fields, "known_of").value;
  const bool has_stake =
      std::ranges::any_of(kernels.rows, [](const KernelRow& row) { return row.at_stake_ns.has_value(); });
  const bool is_any_overcounted =
      std::ranges::any_of(kernels.rows, [](const KernelRow& row) { return !row.overcounted().empty(); });
  const bool is_part_known = std::ranges::any_of(
      kernels.lines, [&](const KernelLine& line) { return !std::holds_alternative<std::monostate>(known_of(line)); });
  const std::string names = fmt::format(
      "rank first_device {} total_ns time_percent {}{} flop_per_s flop_percent bytes_per_s bytes_percent {}{}{}bound "
      "{}",
      !is_of_operators(group)                     ? "launches"
      : has(&KernelRow::copies, &KernelRow::sets) ? "calls kernel_launches memcpy_launches memset_launches"
                                                  : "calls launches",
      has_stake ? "at_stake_ns " : "",
      is_of_operators(group) ? "call_mean_ns call_median_ns call_p90_ns call_max_ns"
                             : "mean_ns median_ns p90_ns max_ns",
      is_part_known ? "known_of " : "", has(&KernelRow::by_time) ? "by_time " : "",
      is_any_overcounted ? "overcounted " : "", kernel_key(group));
  return shown_records<KernelLine>(choose_fields(fields, names), kernels.lines, ids_of_kernels(input));
}

// All inputs in one table.
Records kernels_table(const std::vector<DeviceInput>& inputs, const DevicePeaks& peaks,
                      const KernelsArguments& arguments) {
  const KernelGroup group = arguments.choice.group;
  const std::string names = fmt::format(
      "rank device class {} launches total_ns mean_ns median_ns p90_ns min_ns max_ns time_percent bytes_copied flop "
      "bytes flop_known bytes_known work_from flop_per_s bytes_per_s precision flop_percent bytes_percent overcounted "
      "bound "
      "at_stake_ns copied_per_s host_memory{}{}",
      kernel_key(group), group == KernelGroup::kName ? "" : " kernel_launches memcpy_launches memset_launches",
      is_of_operators(group) ? " calls call_mean_ns call_median_ns call_p90_ns call_min_ns call_max_ns" : "");
  const auto fields = choose_fields(kernel_fields(group), names);
  Records records = exact_records<KernelLine>(fields, {});
  for (const DeviceInput& input : inputs)
    records.append(exact_records(fields, KernelLines(input, peaks, arguments).lines));
  return records;
}

// Writes the answer as one table.
Result<void> write_exact(const std::vector<DeviceInput>& inputs, const DevicePeaks& peaks,
                         const KernelsArguments& arguments) {
  std::vector<std::string> files;
  for (const DeviceInput& input : inputs) {
    for (const std::string& file : paths_of(input.set)) files.push_back(file);
  }
  const auto write = [&](std::string_view sheet, const Records& records) {
    return write_table_file(records, arguments.to, sheet, arguments.output, files);
  };
  const WorkScope scope = arguments.scope.scope();
  if (arguments.as_tree) return write("call tree", call_tree_table(inputs, scope, arguments.depth));
  if (arguments.each) return write("collectives", collective_instances_table(inputs, scope, arguments.limit));
  if (arguments.collectives) return write("collectives", collectives_table(inputs, scope, arguments.limit));
  if (arguments.sequences) return write("sequences", kernel_sequences_table(inputs, scope, arguments.limit));
  return write("kernels", kernels_table(inputs, peaks, arguments));
}

// Says why figures that people look for are missing.
void print_missing_peaks(const DeviceInput& input, const DevicePeaks& peaks) {
  for (const WorkDevice& device : input.analysis->work.devices) {
    if (peaks.find(device.kind()) != nullptr) continue;
    print_answer(
        "\nThe peaks of {} are unknown; give them with --peaks FILE: [{{\"name\": \"…\", \"bf16\": TFLOP/s, \"fp32\": "
        "…, \"GB/s\": …}}]\n",
        device.kind().empty() ? "a device without a name" : device.kind());
    const std::string_view chrome = device.kind().empty() ? told_by_chrome_trace(input.loaded->capture) : "";
    if (!chrome.empty()) print_answer("Peaks from the device's name: {}\n", chrome);
    return;
  }
}

}  // namespace

int run_kernels(int argc, const char* const* argv) {
  CommandLine line("vizd kernels",
                   "What ran on the devices: launches, durations, arithmetic and memory, and the share of the device's "
                   "peaks.\nSeveral traces are the ranks of a job, each with its own rows.");
  KernelsArguments arguments;
  arguments.common.describe(line);
  line.option("--group WORD [name]", arguments.group,
              "name, family, category, operator, shapes, module, stream, device, rank or step; layer: all work by "
              "the server's phase and the model's layers; hlo: by op of XLA's programs")
      .one_of(group_words());
  line.option("--name TEXT", arguments.choice.text, "Only rows whose name contains this text");
  line.option("--category WORD", arguments.choice.category, "Only kernels of this category: GEMM, attention, copy, …");
  arguments.scope.describe(line);
  line.option("--limit N [all]", arguments.limit, "At most this many rows of each capture");
  line.option("--peaks FILE", arguments.peaks, "Peaks of devices, as JSON; they replace those that vizd knows");
  line.option("--to FORMAT", arguments.to, "csv, or xlsx: the exact figures in one table for other programs")
      .one_of({"csv", "xlsx"});
  OutputFile::describe(line, arguments.output, "-o,--output FILE [stdout]", "With --to: the file to write");
  const Argument tree = line.flag("--tree", arguments.as_tree,
                                  "As a tree: modules, operators, calls, kernels, each with the total time below it");
  line.option("--depth N [all]", arguments.depth, "At most this many levels of the tree");
  const Argument collectives =
      line.flag("--collectives", arguments.collectives,
                "What ranks exchanged: sizes, bandwidths, and which ranks the others waited for");
  line.flag("--each", arguments.each,
            "With --collectives: each collective on its own, the largest skew between ranks first");
  line.flag("--sequences", arguments.sequences, "Kernels that often follow one another: candidates for fusion")
      .excludes(tree)
      .excludes(collectives);
  line.flag("--nodes", arguments.nodes,
            "The nodes of replayed CUDA and HIP graphs, each over all replays, named from their captures")
      .excludes(tree)
      .excludes(collectives);
  arguments.server.describe(line);
  line.flag("--reference-estimates", arguments.is_reference,
            "With --json: the figures of PyTorch Inductor's profile_analysis, including its errors");
  line.option("--peak-type TYPE", arguments.peak_type, "With --reference-estimates: the data type of the peak");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (arguments.is_reference && !arguments.common.json) return line.refuse("--reference-estimates needs --json");
  if (arguments.each && !arguments.collectives) return line.refuse("--each needs --collectives");
  const std::string problem = arguments.are_replays() ? arguments.scope.problem_of_replays()
                                                      : arguments.scope.problem_of_others(arguments.server);
  if (!problem.empty()) return line.refuse(problem);
  if (arguments.are_replays() && !arguments.to.empty())
    return line.refuse("--to does not support answers about graph replays");
  const WorkScope scope = arguments.scope.scope();
  if (arguments.are_hlo_ops() && (!scope.is_all() || arguments.asks_for_more()))
    return line.refuse("--group hlo is of all work: only --name, --limit, --peaks and --json go with it");
  arguments.choice.kernel = scope.kernel;
  if (!arguments.are_layers() && !arguments.are_hlo_ops()) arguments.choice.group = *kernel_group(arguments.group);
  const auto peaks = read_device_peaks(arguments.peaks);
  auto inputs = peaks ? open_device_inputs(arguments.common.inputs) : std::nullopt;
  if (!inputs) return kExitFailure;
  if (!arguments.is_reference && !arguments.collectives) {
    for (DeviceInput& input : *inputs) input.take_host_if_no_device();
  }
  if (!has_scope(*inputs, scope, "kernels")) return kExitFailure;
  if (arguments.are_replays()) {
    for (const DeviceInput& input : *inputs)
      print_replay_answer(input, arguments.nodes ? ReplayAnswer::kNodes : ReplayAnswer::kLayers,
                          arguments.server.choice(arguments.scope.steps()), arguments.limit, arguments.common.json);
    return kExitOk;
  }
  if (arguments.are_hlo_ops()) {
    for (const DeviceInput& input : *inputs)
      print_hlo_ops(input, *peaks, arguments.choice.text, arguments.limit, arguments.common.json);
    return kExitOk;
  }
  if (!arguments.to.empty()) {
    const auto written = write_exact(*inputs, *peaks, arguments);
    if (written) return kExitOk;
    print_error("vizd kernels: {}\n", written.error().text());
    return kExitFailure;
  }
  if (arguments.each) {
    print_collective_instances(*inputs, scope, arguments.limit, arguments.common.json);
  } else if (arguments.collectives) {
    print_collectives(*inputs, scope, arguments.limit, arguments.common.json);
  }
  for (const DeviceInput& input : *inputs) {
    if (!arguments.common.json) input.say_if_of_host();
    if (arguments.as_tree) print_call_tree(input, scope, arguments.depth, arguments.common.json);
    if (arguments.sequences) print_kernel_sequences(input, scope, arguments.limit, arguments.common.json);
    if (arguments.as_tree || arguments.sequences || arguments.collectives) continue;
    if (arguments.is_reference) {
      const auto analysis = input.in(scope);
      print_answer("{}", reference_estimates_json(input.loaded->capture, analysis->work, analysis->operators,
                                                  arguments.peak_type));
      continue;
    }
    // By name and of all of it, an XLA profile has figures of its own: self times, by the devices' own clocks.
    const bool is_whole = scope.is_all() && arguments.choice.is_all() && arguments.peaks.empty();
    if (is_whole && arguments.choice.group == KernelGroup::kName && input.loaded->capture.profile.xla != nullptr) {
      print_xla_kernels(input, arguments.limit, arguments.common.json);
      continue;
    }
    const KernelLines kernels(input, *peaks, arguments);
    if (kernels.rows.empty()) {
      input.say_nothing(scope, arguments.choice.is_all() ? "the devices did nothing" : "no row matches the filter",
                        arguments.common.json);
    } else if (arguments.common.json) {
      print_json_rows<KernelLine>(kernel_fields(arguments.choice.group), kernels.lines, ids_of_kernels(input));
    } else {
      shown_kernels(input, kernels, arguments.choice.group).print(stdout, false);
      print_missing_peaks(input, *peaks);
    }
  }
  return kExitOk;
}

}  // namespace vizd
