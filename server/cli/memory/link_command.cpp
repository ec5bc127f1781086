// vizd link SNAPSHOT TRACE: which operator of a trace asked for each allocation of a snapshot of the same run.
#include <fmt/format.h>

#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/pipes.h"
#include "cli/command_line/records.h"
#include "cli/memory/link_records.h"
#include "cli/memory/memory_inputs.h"

namespace vizd {
namespace {

std::optional<InputSet> set_of(const std::string& path) {
  CommonArguments arguments;
  arguments.inputs.paths = {path};
  return find_input(arguments);
}

struct LinkArguments {
  std::vector<std::string> paths;
  bool json = false, operators = false, kernels = false;
  std::string of;
  std::int64_t run = -1;
  std::size_t limit = 0;
};

std::string introduction(const LinkedCaptures& linked) {
  const auto [allocations, found] = linked.counts();
  const std::string sureness = linked.is_sure() ? "by the addresses in the profiler's memory events"
                                                : "by time only, which is not certain: the trace has no memory events, "
                                                  "which profile(profile_memory=True) records";
  return fmt::format("{1} of {0} allocations are linked to their operator, {2}.\n\n", allocations, found, sureness);
}

// What was asked for; false where there is no such event.
bool tell(const LinkArguments& arguments, const LinkedCaptures& linked, const RowIds& ids,
          const torch_memory::TakeRecord& take) {
  if (arguments.operators) return linked.tell_operators(take), true;
  if (arguments.kernels) return linked.tell_kernels(take), true;
  if (arguments.of.empty()) return linked.tell_allocations(ids, take), true;
  const auto run = arguments.run < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(arguments.run));
  if (linked.tell_run(arguments.of, run, take)) return true;
  print_error("vizd link: the trace has no event named '{}'{}; vizd link --operators and --kernels list names\n",
              arguments.of, run ? " that runs so often" : "");
  return false;
}

}  // namespace

int run_link(int argc, const char* const* argv) {
  CommandLine line("vizd link",
                   "Which operator of a torch.profiler trace made each allocation of a memory snapshot of the same "
                   "run. An allocation is\nlinked to the memory event of the trace, from profile(profile_memory=True), "
                   "with the same device and address that is\nclosest in time, at most a millisecond away. Without "
                   "such events it is linked by time only, which is not certain.");
  LinkArguments arguments;
  line.positional("files", "SNAPSHOT TRACE", arguments.paths, "The snapshot and the trace; - reads from a pipe")
      .required();
  Argument operators =
      line.flag("--operators", arguments.operators, "What each kind of operator allocated, the most bytes first");
  Argument kernels = line.flag("--kernels", arguments.kernels,
                               "What was allocated while each kind of kernel ran, the most bytes first");
  Argument of = line.option("--of NAME", arguments.of,
                            "The allocations of the event with this name: for an operator, range or function those "
                            "that it made, for device work those made while it ran");
  kernels.excludes(operators);
  of.excludes(operators);
  of.excludes(kernels);
  line.option("--run N [the longest]", arguments.run, "Which of the events with that name, in order of start, from 0")
      .range(0, 1'000'000'000);
  line.option("--limit N [all]", arguments.limit, "At most this many rows");
  line.flag("--json", arguments.json, "Print JSON, one record per line").under(kCommonOptions);
  describe_wide_tables(line);
  line.check([&]() -> std::string {
    return arguments.paths.size() == 2 ? take_pipes({arguments.paths.begin(), arguments.paths.end()})
                                       : "name a snapshot and a trace";
  });
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto snapshot_set = set_of(arguments.paths[0]);
  const auto snapshot = snapshot_set ? open_allocators(*snapshot_set) : nullptr;
  const auto trace_set = snapshot ? set_of(arguments.paths[1]) : std::nullopt;
  const auto trace = trace_set ? open_recorded(*trace_set) : nullptr;
  if (!trace) return kExitFailure;
  const LinkedCaptures linked(snapshot->capture, trace->capture);
  if (!arguments.json) print_answer("{}", introduction(linked));
  RecordPrinter printer(arguments.json, arguments.limit);
  if (!tell(arguments, linked, RowIds(*trace_set), printer.taker())) return kExitFailure;
  printer.finish();
  return kExitOk;
}

}  // namespace vizd
