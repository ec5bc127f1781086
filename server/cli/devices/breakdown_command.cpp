// vizd breakdown FILE..: where the time of each device and stream went.
#include <fmt/core.h>

#include <algorithm>

#include "analysis/answers/device_answers.h"
#include "analysis/recorded/recordable.h"
#include "base/standard_streams.h"
#include "cli/command_line/absence.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/devices/answer_records.h"
#include "cli/devices/compile_table.h"
#include "cli/devices/device_tables.h"
#include "cli/devices/replay_tables.h"
#include "cli/devices/scope_arguments.h"
#include "cli/devices/xla_tables.h"
#include "diagnosis/page_place.h"

namespace vizd {
namespace {

struct BreakdownArguments {
  CommonArguments common;
  ScopeArguments scope;
  ServerStepArguments server;
  BreakdownOptions options;
  bool critical_path = false, replays = false, compiles = false, threads = false, steps = false;
  std::size_t limit = 0;
};

// From its first work to its last.
IdOfLine<BreakdownLine> ids_of_breakdown(const DeviceInput& input) {
  return [&input](const BreakdownLine& line) { return input.id_of_time(line.row.start_ns, line.row.end_ns); };
}

constexpr std::string_view kShown =
    "rank device stream events span_ns busy_ns compute_ns communication_ns exposed_communication_ns memory_ns idle_ns "
    "idle_host_ns idle_kernel_ns idle_other_ns ";

// With what is not recorded, where that is any.
std::string shown_fields(const std::vector<DeviceBreakdown>& rows) {
  const bool is_any_lost =
      std::ranges::any_of(rows, [](const DeviceBreakdown& row) { return row.not_recorded_ns > 0; });
  return fmt::format("{}{}gaps queue_max", kShown, is_any_lost ? "not_recorded_ns " : "");
}

void print_threads(const DeviceInput& input, const WorkScope& scope, bool json) {
  const Capture& capture = input.loaded->capture;
  const std::vector<ThreadTime> rows = make_thread_times(capture, scope);
  std::vector<ThreadLine> lines;
  for (const ThreadTime& row : rows) lines.push_back({capture, row});
  if (lines.empty())
    return print_absence({Nothing::kNone, "no thread of the host did anything", ""}, input.set.name, json);
  const IdOfLine<ThreadLine> id_of = [&input](const ThreadLine& line) {
    return input.id_of_time(line.row.start_ns, line.row.end_ns);
  };
  if (json) return print_json_rows<ThreadLine>(thread_fields(), lines, id_of);
  shown_records<ThreadLine>(thread_fields(), lines, id_of).print(stdout, false);
}

}  // namespace

int run_breakdown(int argc, const char* const* argv) {
  CommandLine line(
      "vizd breakdown",
      "Where the time of each device and stream went: computing, communication, memory, and idle time by what ended "
      "it:\nthe host launched too late, the next kernel was already queued, or another cause. Shares are of the time "
      "from the\nfirst work to the end of the last, or of the whole range if one is given.");
  BreakdownArguments arguments;
  arguments.common.describe(line);
  line.time("--consecutive-kernel-delay-ns TIME [30us]", arguments.options.consecutive_kernel_delay_ns,
            "Shorter idle time, ended by work that was launched in time, counts as kernel to kernel");
  const Argument critical_path =
      line.flag("--critical-path", arguments.critical_path,
                "Where the time went on the chain of kernels, launches and host work that determined the end");
  const Argument replays = line.flag("--replays", arguments.replays,
                                     "Each replay of a CUDA or HIP graph: its launch, start, duration and idle time")
                               .excludes(critical_path);
  line.flag("--compiles", arguments.compiles,
            "What torch.compile did while PyTorch's profiler ran: functions compiled and recompiled, guards, graph "
            "breaks")
      .excludes(critical_path)
      .excludes(replays);
  line.flag("--threads", arguments.threads,
            "What each thread of the host did; also shown if no device work was recorded")
      .excludes(critical_path)
      .excludes(replays);
  line.flag("--steps", arguments.steps, "Of an XPlane file: each step on each device that it is of")
      .excludes(critical_path)
      .excludes(replays);
  arguments.scope.describe(line);
  arguments.server.describe(line);
  line.option("--limit N [all]", arguments.limit,
              "At most this many rows of the critical path, of replays or of torch.compile");
  if (const auto code = line.parse(argc, argv)) return *code;
  const std::string problem =
      arguments.replays ? arguments.scope.problem_of_replays() : arguments.scope.problem_of_others(arguments.server);
  if (!problem.empty()) return line.refuse(problem);
  const auto inputs = open_device_inputs(arguments.common.inputs);
  if (!inputs) return kExitFailure;
  const WorkScope scope = arguments.scope.scope();
  if (!has_scope(*inputs, scope, "breakdown")) return kExitFailure;
  for (const DeviceInput& input : *inputs) {
    if (arguments.replays) {
      print_replay_answer(input, ReplayAnswer::kReplays, arguments.server.choice(arguments.scope.steps()),
                          arguments.limit, arguments.common.json);
      continue;
    }
    if (arguments.critical_path) {
      if (!print_critical_path(input, scope, arguments.limit, arguments.common.json)) return kExitFailure;
      continue;
    }
    if (arguments.threads) {
      print_threads(input, scope, arguments.common.json);
      continue;
    }
    if (arguments.compiles) {
      print_compiles(input.loaded->capture, scope, arguments.limit, arguments.common.json);
      continue;
    }
    const bool has_xla = input.loaded->capture.profile.xla != nullptr;
    if (arguments.steps && !has_xla) {
      print_absence({Nothing::kNotRecorded, "only XPlane files tell of steps by device", "name a step with --step"},
                    input.set.name, arguments.common.json);
      continue;
    }
    if (has_xla && scope.is_all()) {
      if (arguments.steps) {
        print_xla_steps(input, arguments.common.json);
      } else {
        print_xla_breakdown(input, arguments.options.consecutive_kernel_delay_ns, arguments.common.json);
      }
      continue;
    }
    arguments.options.range = scope.range_in(input.loaded->capture.profile);
    arguments.options.step = scope.step;
    const auto analysis = input.in(scope.of_breakdowns());
    const std::vector<DeviceBreakdown> rows = make_breakdowns(analysis->work, arguments.options);
    std::vector<BreakdownLine> lines;
    for (const DeviceBreakdown& row : rows) lines.push_back({input.loaded->capture, analysis->work, row});
    if (lines.empty()) {
      input.say_nothing(scope, "the devices did nothing", arguments.common.json);
      if (!arguments.common.json && !is_recorded(input.loaded->capture, Recordable::kDeviceWork))
        print_threads(input, scope, false);
    } else if (arguments.common.json) {
      print_json_rows<BreakdownLine>(breakdown_fields(), lines, ids_of_breakdown(input));
    } else {
      shown_records<BreakdownLine>(choose_fields(breakdown_fields(), shown_fields(rows)), lines,
                                   ids_of_breakdown(input))
          .print(stdout, false);
    }
  }
  return kExitOk;
}

}  // namespace vizd
