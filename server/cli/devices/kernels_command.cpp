// vizd kernels FILE..: what ran on the devices, by name, operator and more: how often, how long, how well.
#include <fmt/core.h>

#include "analysis/devices/kernel_json.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/records.h"
#include "cli/command_line/table_file.h"
#include "cli/devices/device_tables.h"
#include "model/argument_json.h"
#include "reference/inductor/estimates.h"

namespace vizd {
namespace {

struct KernelsArguments {
  CommonArguments common;
  KernelChoice choice;
  std::string group = "name", peaks, peak_type, to;
  OutputFile::Place output;
  std::int64_t step = 0;
  std::size_t limit = 0, depth = 0;
  bool is_reference = false, as_tree = false, collectives = false, sequences = false;
};

Cell text_or_none(const std::optional<double>& rate, const char* unit) {
  return rate ? Cell(rate_text(*rate, unit)) : Cell();
}

Cell percent_or_none(const std::optional<double>& percent) {
  return percent ? Cell(fmt::format("{:.1f} %", *percent)) : Cell();
}

Records records_of(const DeviceInput& input, const std::vector<KernelRow>& rows, const KernelsArguments& arguments) {
  Records records({"rank", "device", "launches", "total", "share", "mean", "median", "p90", "max", "FLOP/s", "of peak",
                   "bytes/s", "of peak", "bound", arguments.group});
  const StringTable& strings = input.loaded->capture.strings;
  const auto value = [&](const FileValue& number) { return number ? value_text(*number, strings) : std::string(); };
  std::size_t shown = 0;
  for (const KernelRow& row : rows) {
    if (arguments.limit != 0 && shown++ == arguments.limit) break;
    const WorkDevice& device = input.analysis.work.devices[row.device];
    const LaunchStatistics& s = row.durations;
    records.add({value(device.rank), value(device.number), s.launches, duration_text(static_cast<double>(s.total_ns)),
                 percent_or_none(row.time_percent), duration_text(s.mean_ns), duration_text(s.median_ns),
                 duration_text(static_cast<double>(s.p90_ns)), duration_text(static_cast<double>(s.max_ns)),
                 text_or_none(row.flops(), "FLOP/s"), percent_or_none(row.flops_percent()),
                 text_or_none(row.bytes_per_s(), "B/s"), percent_or_none(row.bandwidth_percent()),
                 std::string(row.bound()), row.key.value_or("(not known)")});
  }
  return records;
}

// The same exact, for other programs.
void add_exact(Records& records, const DeviceInput& input, const std::vector<KernelRow>& rows,
               const KernelsArguments& arguments) {
  const StringTable& strings = input.loaded->capture.strings;
  const auto value = [&](const FileValue& number) -> Cell {
    if (!number) return {};
    const auto* const integer = std::get_if<std::int64_t>(&*number);
    return integer != nullptr ? Cell(*integer) : Cell(value_text(*number, strings));
  };
  const auto real = [](const std::optional<double>& figure) { return figure ? Cell(*figure) : Cell(); };
  std::size_t shown = 0;
  for (const KernelRow& row : rows) {
    if (arguments.limit != 0 && shown++ == arguments.limit) break;
    const WorkDevice& device = input.analysis.work.devices[row.device];
    const LaunchStatistics& s = row.durations;
    const bool has_class = arguments.choice.group == KernelGroup::kName;
    const bool has_device = arguments.choice.group != KernelGroup::kRank;
    records.add({value(device.rank),
                 has_device ? value(device.number) : Cell(),
                 has_class ? Cell(std::string(work_class_name(row.work))) : Cell(),
                 row.key ? Cell(*row.key) : Cell(),
                 s.launches,
                 s.total_ns,
                 s.mean_ns,
                 s.median_ns,
                 s.p90_ns,
                 s.min_ns,
                 s.max_ns,
                 real(row.time_percent),
                 real(row.bytes_copied),
                 real(row.flop),
                 real(row.bytes),
                 real(row.flops()),
                 real(row.bytes_per_s()),
                 row.precision ? Cell(std::string(precision_name(*row.precision))) : Cell(),
                 real(row.flops_percent()),
                 real(row.bandwidth_percent()),
                 row.bound().empty() ? Cell() : Cell(std::string(row.bound()))});
  }
}

// Of all inputs, in one table.
Records kernels_table(const std::vector<DeviceInput>& inputs, const DevicePeaks& peaks,
                      const KernelsArguments& arguments) {
  const std::string key =
      arguments.group == "rank" || arguments.group == "device" ? arguments.group + "_name" : arguments.group;
  Records records({"rank",
                   "device",
                   "class",
                   key,
                   "launches",
                   "total_ns",
                   "mean_ns",
                   "median_ns",
                   "p90_ns",
                   "min_ns",
                   "max_ns",
                   "time_percent",
                   "bytes_copied",
                   "flop",
                   "bytes",
                   "flop_per_s",
                   "bytes_per_s",
                   "precision",
                   "achieved_flops_percent",
                   "achieved_bandwidth_percent",
                   "bound"});
  for (const DeviceInput& input : inputs) {
    const auto& [work, operators, figures] = input.analysis;
    add_exact(records, input,
              make_kernel_table(input.loaded->capture, work, operators, figures, peaks, arguments.choice), arguments);
  }
  return records;
}

// What was asked for, as one table.
Result<void> write_exact(const std::vector<DeviceInput>& inputs, const DevicePeaks& peaks,
                         const KernelsArguments& arguments) {
  std::vector<std::string> files;
  for (const DeviceInput& input : inputs) {
    for (const std::string& file : paths_of(input.set)) files.push_back(file);
  }
  const auto write = [&](std::string_view sheet, const Records& records) {
    return write_table_file(records, arguments.to, sheet, arguments.output, files);
  };
  if (arguments.as_tree) return write("call tree", call_tree_table(inputs, arguments.depth));
  if (arguments.collectives) return write("collectives", collectives_table(inputs, arguments.limit));
  if (arguments.sequences) return write("sequences", kernel_sequences_table(inputs, arguments.limit));
  return write("kernels", kernels_table(inputs, peaks, arguments));
}

void print_json(const DeviceInput& input, const std::vector<KernelRow>& rows, const KernelsArguments& arguments) {
  std::string line;
  std::size_t shown = 0;
  for (const KernelRow& row : rows) {
    if (arguments.limit != 0 && shown++ == arguments.limit) break;
    line.clear();
    JsonWriter json(line);
    write_kernel_row(json, input.loaded->capture, input.analysis.work, row, arguments.choice.group);
    fmt::print("{}\n", line);
  }
}

// What stands in the way of figures that people look for.
void print_missing_peaks(const DeviceInput& input, const DevicePeaks& peaks) {
  for (const WorkDevice& device : input.analysis.work.devices) {
    if (peaks.find(device.name) != nullptr) continue;
    fmt::print(
        "\nNo peak is known of {}: name a file with it, --peaks FILE: "
        "[{{\"name\": \"…\", \"bf16\": TFLOP/s, \"fp32\": …, \"GB/s\": …}}]\n",
        device.name.empty() ? "a device without a name" : device.name);
    return;
  }
}

}  // namespace

int run_kernels(int argc, const char* const* argv) {
  CommandLine line("vizd kernels",
                   "What ran on the devices: launches, durations, arithmetic and memory, and how much of the device's\n"
                   "peaks that is. Several traces are the ranks of a job, each with its own rows.");
  KernelsArguments arguments;
  arguments.common.describe(line);
  line.option("--group WORD [name]", arguments.group,
              "name, family, category, operator, shapes, module, stream, device, rank or step")
      .one_of({std::begin(kKernelGroupNames), std::end(kKernelGroupNames)});
  line.option("--name TEXT", arguments.choice.text, "Only rows whose name holds this");
  line.option("--category WORD", arguments.choice.category, "Only kernels of that category: GEMM, attention, copy, …");
  const Argument step = line.option("--step N", arguments.step, "Only work launched in the step of that number");
  line.option("--limit N [all]", arguments.limit, "At most so many rows of each capture");
  line.option("--peaks FILE", arguments.peaks, "Peaks of devices, as JSON, before those that vizd knows");
  line.option("--to FORMAT", arguments.to, "csv, or xlsx: the exact figures in one table for other programs")
      .one_of({"csv", "xlsx"});
  line.option("-o,--output FILE [stdout]", arguments.output.path, "With --to: the file to write");
  line.flag("-f,--force", arguments.output.overwrites, "Overwrite a file that is there");
  const Argument tree = line.flag("--tree", arguments.as_tree,
                                  "As a tree: modules, operators, calls, kernels, each with the time below it");
  line.option("--depth N [all]", arguments.depth, "At most so many levels of the tree");
  const Argument collectives = line.flag("--collectives", arguments.collectives,
                                         "What ranks exchanged: sizes, bandwidths, and who was waited for");
  line.flag("--sequences", arguments.sequences, "Kernels that follow one another often: candidates for fusion")
      .excludes(tree)
      .excludes(collectives);
  line.flag("--reference-estimates", arguments.is_reference,
            "With --json: the figures of PyTorch Inductor's profile_analysis, faults included");
  line.option("--peak-type TYPE", arguments.peak_type, "With --reference-estimates: the data type of the peak");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (arguments.is_reference && !arguments.common.json) return line.refuse("--reference-estimates goes with --json");
  if (step.is_given()) arguments.choice.step = arguments.step;
  arguments.choice.group = *kernel_group(arguments.group);
  const auto peaks = read_device_peaks(arguments.peaks);
  const auto inputs = peaks ? open_device_inputs(arguments.common.inputs) : std::nullopt;
  if (!inputs) return kExitFailure;
  if (!arguments.to.empty()) {
    const auto written = write_exact(*inputs, *peaks, arguments);
    if (written) return kExitOk;
    print_error("vizd kernels: {}\n", written.error().text());
    return kExitFailure;
  }
  if (arguments.collectives) print_collectives(*inputs, arguments.limit, arguments.common.json);
  for (const DeviceInput& input : *inputs) {
    if (arguments.as_tree) print_call_tree(input, arguments.depth, arguments.common.json);
    if (arguments.sequences) print_kernel_sequences(input, arguments.limit, arguments.common.json);
    if (arguments.as_tree || arguments.sequences || arguments.collectives) continue;
    const auto& [work, operators, figures] = input.analysis;
    const Capture& capture = input.loaded->capture;
    if (arguments.is_reference) {
      fmt::print("{}", reference_estimates_json(capture, work, operators, arguments.peak_type));
      continue;
    }
    const auto rows = make_kernel_table(capture, work, operators, figures, *peaks, arguments.choice);
    if (arguments.common.json) {
      print_json(input, rows, arguments);
    } else if (rows.empty()) {
      fmt::print("No device did any work in {}.\n", input.set.name);
    } else {
      records_of(input, rows, arguments).print(stdout, false);
      print_missing_peaks(input, *peaks);
    }
  }
  return kExitOk;
}

}  // namespace vizd
