// vizd link SNAPSHOT TRACE: which operator of a trace asked for each allocation of a snapshot of the same run.
#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/pipes.h"
#include "cli/command_line/records.h"
#include "cli/memory/memory_inputs.h"
#include "formats/torch_memory/answers/records.h"

namespace vizd {
namespace {

std::optional<InputSet> set_of(const std::string& path) {
  CommonArguments arguments;
  arguments.inputs.paths = {path};
  return find_input(arguments);
}

}  // namespace

int run_link(int argc, const char* const* argv) {
  CommandLine line(
      "vizd link",
      "Which operator of a torch.profiler trace asked for each allocation of a memory snapshot of the same "
      "run.\nThe trace needs its reports of memory: profile(profile_memory=True). An allocation is that of "
      "the report\nwith its device and address that is nearest in time, at most a millisecond away.");
  std::vector<std::string> paths;
  bool json = false;
  std::size_t limit = 0;
  line.positional("files", "SNAPSHOT TRACE", paths, "The snapshot, and the trace; - is what comes through a pipe")
      .required();
  line.option("--limit N [all]", limit, "At most so many rows");
  line.flag("--json", json, "One JSON object a line").under(kCommonOptions);
  describe_wide_tables(line);
  line.check([&]() -> std::string {
    return paths.size() == 2 ? take_pipes({paths.begin(), paths.end()}) : "name a snapshot and a trace";
  });
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto snapshot_set = set_of(paths[0]);
  const auto file = snapshot_set ? open_snapshot(*snapshot_set) : nullptr;
  const auto trace_set = file ? set_of(paths[1]) : std::nullopt;
  const auto trace = trace_set ? open_recorded(*trace_set) : nullptr;
  if (!trace) return kExitFailure;
  RecordPrinter printer(json, limit);
  std::size_t count = 0, linked = 0;
  tell_links(*file, trace->capture, [&](const torch_memory::Record& record) {
    ++count;
    for (const torch_memory::Field& field : record)
      linked += field.name == "operator" && !std::holds_alternative<std::monostate>(field.value);
    printer.take(record);
  });
  printer.finish();
  if (!json) print_answer("\nOf {} allocations {} are linked to their operator.\n", count, linked);
  return kExitOk;
}

}  // namespace vizd
