// vizd kernels FILE..: what ran on the devices, by name, operator and more: how often, how long, how well.
#include <fmt/core.h>

#include "analysis/kernel_json.h"
#include "analysis/reference_estimates.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/device_inputs.h"
#include "cli/records.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

struct KernelsArguments {
  CommonArguments common;
  KernelChoice choice;
  std::string group = "name", peaks, peak_type;
  std::int64_t step = 0;
  std::size_t limit = 0;
  bool is_reference = false;
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
  line.option("--group WORD [name]", arguments.group, "name, family, category, operator, shapes, stream or step")
      .one_of({"name", "family", "category", "operator", "shapes", "stream", "step"});
  line.option("--name TEXT", arguments.choice.text, "Only rows whose name holds this");
  line.option("--category WORD", arguments.choice.category, "Only kernels of that category: GEMM, attention, copy, …");
  const Argument step = line.option("--step N", arguments.step, "Only work launched in the step of that number");
  line.option("--limit N [all]", arguments.limit, "At most so many rows of each capture");
  line.option("--peaks FILE", arguments.peaks, "Peaks of devices, as JSON, before those that vizd knows");
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
  for (const DeviceInput& input : *inputs) {
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
      fmt::print("No device did any work in {}.\n", input.loaded->name);
    } else {
      records_of(input, rows, arguments).print(stdout, false);
      print_missing_peaks(input, *peaks);
    }
  }
  return kExitOk;
}

}  // namespace vizd
