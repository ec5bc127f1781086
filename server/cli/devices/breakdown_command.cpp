// vizd breakdown FILE..: where the time of each device and stream went.
#include <fmt/core.h>

#include "analysis/answers/device_answers.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/devices/answer_records.h"
#include "cli/devices/device_tables.h"

namespace vizd {
namespace {

struct BreakdownArguments {
  CommonArguments common;
  BreakdownOptions options;
  bool critical_path = false;
  std::int64_t step = 0;
  std::size_t limit = 0;
};

constexpr std::string_view kShown =
    "rank device stream events span_ns busy_ns compute_ns communication_ns exposed_communication_ns memory_ns idle_ns "
    "idle_host_ns idle_kernel_ns idle_other_ns gaps queue_max";

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
    std::vector<BreakdownLine> lines;
    for (const DeviceBreakdown& row : rows) lines.push_back({input.loaded->capture, input.analysis.work, row});
    if (arguments.common.json) {
      print_json_rows(breakdown_fields(), lines);
    } else if (lines.empty()) {
      fmt::print("No device did any work in {}.\n", input.set.name);
    } else {
      shown_records(choose_fields(breakdown_fields(), kShown), lines).print(stdout, false);
    }
  }
  return kExitOk;
}

}  // namespace vizd
