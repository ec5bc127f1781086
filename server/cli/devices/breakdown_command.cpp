// vizd breakdown FILE..: where the time of each device and stream went.
#include <fmt/core.h>

#include "analysis/devices/kernel_json.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/records.h"
#include "cli/devices/device_tables.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

struct BreakdownArguments {
  CommonArguments common;
  BreakdownOptions options;
  bool critical_path = false;
  std::int64_t step = 0;
  std::size_t limit = 0;
};

Cell share(std::int64_t part_ns, std::int64_t whole_ns) {
  if (whole_ns == 0) return {};
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part_ns) / static_cast<double>(whole_ns));
}

Records records_of(const DeviceInput& input, const std::vector<DeviceBreakdown>& rows) {
  Records records({"rank", "device", "stream", "events", "span", "busy", "compute", "communication", "exposed",
                   "memory", "idle", "host late", "between kernels", "other", "gaps", "queue"});
  const DeviceWork& work = input.analysis.work;
  const auto value = [&](const FileValue& number) {
    return number ? value_text(*number, input.loaded->capture.strings) : std::string();
  };
  for (const DeviceBreakdown& b : rows) {
    const WorkDevice& device = work.devices[b.device];
    const std::int64_t span_ns = b.span_ns();
    records.add({value(device.rank), value(device.number), b.stream ? value(work.streams[*b.stream].number) : "all",
                 b.events, duration_text(static_cast<double>(span_ns)), share(b.busy_ns, span_ns),
                 share(b.compute_ns, span_ns), share(b.communication_ns, span_ns),
                 share(b.exposed_communication_ns, span_ns), share(b.memory_ns, span_ns), share(b.idle_ns(), span_ns),
                 share(b.idle_host_ns, span_ns), share(b.idle_kernel_ns, span_ns), share(b.idle_other_ns, span_ns),
                 b.gaps, b.queue_max});
  }
  return records;
}

}  // namespace

int run_breakdown(int argc, const char* const* argv) {
  CommandLine line("vizd breakdown",
                   "Where the time of each device and stream went: computing, communication, memory, and idle by what\n"
                   "ended it: the host launched too late, the next kernel was on its way, or another. Shares are of\n"
                   "the time from its first work to its last.");
  BreakdownArguments arguments;
  arguments.common.describe(line);
  line.option("--consecutive-kernel-delay-ns NS [30000]", arguments.options.consecutive_kernel_delay_ns,
              "A shorter gap whose launch came in time lies between two kernels");
  line.flag("--critical-path", arguments.critical_path,
            "What the time went to on the chain of kernels, launches and host that held up the end");
  const Argument step = line.option("--step N", arguments.step, "The critical path of the step of that number alone");
  line.option("--limit N [all]", arguments.limit, "At most so many rows of the critical path");
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto inputs = open_device_inputs(arguments.common.inputs);
  if (!inputs) return kExitFailure;
  for (const DeviceInput& input : *inputs) {
    if (arguments.critical_path) {
      const auto number = step.is_given() ? std::optional(arguments.step) : std::nullopt;
      if (!print_critical_path(input, number, arguments.limit, arguments.common.json)) return kExitFailure;
      continue;
    }
    const std::vector<DeviceBreakdown> rows = make_breakdowns(input.analysis.work, arguments.options);
    if (!arguments.common.json) {
      rows.empty() ? fmt::print("No device did any work in {}.\n", input.set.name)
                   : records_of(input, rows).print(stdout, false);
      continue;
    }
    std::string text;
    for (const DeviceBreakdown& row : rows) {
      text.clear();
      JsonWriter json(text);
      write_breakdown(json, input.loaded->capture, input.analysis.work, row);
      fmt::print("{}\n", text);
    }
  }
  return kExitOk;
}

}  // namespace vizd
