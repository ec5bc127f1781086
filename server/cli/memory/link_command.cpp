// vizd link SNAPSHOT TRACE: which operator of a trace asked for each allocation of a snapshot of the same run.
#include "analysis/allocator/trace_links.h"
#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/pipes.h"
#include "cli/command_line/row_ids.h"
#include "cli/memory/memory_inputs.h"
#include "cli/memory/owner_records.h"
#include "diagnosis/page_place.h"
#include "formats/torch_memory/answers/memory_file.h"
#include "model/track_numbers.h"

namespace vizd {
namespace {

std::optional<InputSet> set_of(const std::string& path) {
  CommonArguments arguments;
  arguments.inputs.paths = {path};
  return find_input(arguments);
}

torch_memory::Value thread_of(const Capture& trace, std::uint32_t track) {
  const auto number = track == kNoId ? std::nullopt : thread_number(trace.profile.tracks, track);
  if (!number) return {};
  if (const auto* const text = std::get_if<StringId>(&*number)) return std::string(trace.strings.get(*text));
  const auto* const integer = std::get_if<std::int64_t>(&*number);
  return integer == nullptr ? torch_memory::Value() : torch_memory::Value(*integer);
}

torch_memory::Record record_of(const torch_memory::Replay& replay, const torch_memory::Life& life, const Capture& trace,
                               const AllocationLink& link, const RowIds& ids) {
  torch_memory::Value name, start_ns;
  if (link.event != kNoId) {
    const EventColumns& events = trace.profile.tracks[link.track].events;
    name = std::string(trace.strings.get(events.name(link.event)));
    start_ns = events.start_ns(link.event) + trace.profile.clock.unix_offset_ns.value_or(0);
  }
  torch_memory::Record record{{"device", replay.device()},
                              {"born_event", life.born},
                              {"operator", name},
                              {"operator_start_ns", start_ns},
                              {"thread", thread_of(trace, link.track)}};
  if (link.event != kNoId) add_row_id(record, ids.of(slice_id(trace.profile, link.track, link.event)));
  return record;
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
  const TraceLinks links(trace->capture);
  const RowIds ids(*trace_set);
  std::size_t count = 0, linked = 0;
  for (const auto& replay : file->replays()) {
    for (const torch_memory::Life& life : replay->lives().subspan(replay->lives_before())) {
      const std::int64_t born_ns = replay->time_ns(life.born);
      const auto link =
          born_ns == torch_memory::kNoTime ? std::nullopt : links.of(replay->device(), life.address, born_ns);
      ++count;
      linked += link && link->event != kNoId;
      printer.take(record_of(*replay, life, trace->capture, link.value_or(AllocationLink{}), ids));
    }
  }
  printer.finish();
  if (!json) print_answer("\nOf {} allocations {} are linked to their operator.\n", count, linked);
  return kExitOk;
}

}  // namespace vizd
