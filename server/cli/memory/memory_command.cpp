// vizd memory SNAPSHOT: every byte of a device's memory over time, who held it, and what was left, as PyTorch's
// allocator recorded it.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/allocator/owners.h"
#include "base/standard_streams.h"
#include "base/time_text.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/memory/holder_records.h"
#include "cli/memory/memory_inputs.h"
#include "cli/memory/memory_report.h"
#include "cli/memory/owner_records.h"
#include "cli/memory/state_records.h"
#include "reference/torch_memory/records.h"
#include "timeline/memory_holders.h"

namespace vizd {
namespace {

struct MemoryArguments {
  CommonArguments common;
  std::int64_t points = 0;
  std::vector<std::string> times, owners;
  std::string state, leaks;
  bool allocations = false;
  std::size_t limit = 0;
};

std::string problem_of(const MemoryArguments& arguments) {
  for (const std::string& time : arguments.times) {
    if (!parse_time_ns(time))
      return fmt::format("--at: '{}' is not a time, such as 1700000000.5s or a number of nanoseconds", time);
  }
  for (const std::string& kind : arguments.owners) {
    const auto kinds = allocation_owner_kinds();
    if (std::ranges::find(kinds, kind) == kinds.end() && !holder_group(kind))
      return fmt::format("--owners: '{}' is not one of {}", kind, fmt::join(kinds, ", "));
  }
  if (!arguments.state.empty() && !StateMoment::parse(arguments.state))
    return fmt::format("--state: '{}' must be end, peak or the number of an entry", arguments.state);
  return "";
}

// What only the snapshot's own file tells: whole figures of it, and each allocation as it was recorded.
bool answer_of_file(const MemoryArguments& arguments, const InputSet& set, RecordPrinter& printer) {
  const auto file = open_snapshot(set);
  if (!file) return false;
  if (arguments.allocations) {
    tell_allocations(*file, printer.taker());
  } else {
    tell_summary(*file, printer.taker());
  }
  return true;
}

// Answers for a capture without an allocator's event log whose allocations are known, as in a trace with
// profile_memory. False: the capture is none, or the question is another.
bool answer_of_allocations(const MemoryArguments& arguments, const InputSet& set) {
  const bool asks_allocator = arguments.points > 0 || !arguments.times.empty() || !arguments.state.empty() ||
                              !arguments.leaks.empty() || arguments.allocations;
  if (asks_allocator || is_snapshot(set)) return false;
  std::vector<std::string> groups = arguments.owners;
  if (groups.empty()) groups = {"operator", "module", "line"};
  if (!std::ranges::all_of(groups, [](const std::string& group) { return holder_group(group).has_value(); }))
    return false;
  const auto recorded = open_recorded(set);
  const auto has_log = [](const Track& track) { return track.allocator != nullptr; };
  if (recorded == nullptr || std::ranges::any_of(recorded->capture.profile.tracks, has_log)) return false;
  if (!has_allocations(recorded->capture)) return false;
  const auto loaded = open_input(set);  // with its timeline
  if (loaded == nullptr) return false;
  print_holders(*loaded, groups, arguments.limit, arguments.common.json);
  return true;
}

bool answer(const MemoryArguments& arguments, const InputSet& set, RecordPrinter& printer) {
  if (answer_of_allocations(arguments, set)) return true;
  const bool has_question = arguments.points > 0 || !arguments.times.empty() || !arguments.state.empty() ||
                            !arguments.owners.empty() || !arguments.leaks.empty();
  if (arguments.allocations || (arguments.common.json && !has_question)) return answer_of_file(arguments, set, printer);
  const auto loaded = open_allocators(set);
  if (!loaded) return false;
  const Capture& capture = loaded->capture;
  const auto kinds = allocation_owner_kinds();
  for (const std::string& kind : arguments.owners) {
    if (std::ranges::find(kinds, kind) != kinds.end()) continue;
    print_error("vizd memory: --owners {}: only traces have it; a snapshot has {}\n", kind, fmt::join(kinds, ", "));
    return false;
  }
  if (!arguments.owners.empty()) {
    tell_owners(capture, arguments.owners, RowIds(set), printer.taker());
  } else if (!arguments.leaks.empty()) {
    tell_leaks(capture, arguments.leaks, RowIds(set), printer.taker());
  } else if (arguments.points > 0) {
    tell_timeline(capture, static_cast<std::size_t>(arguments.points), printer.taker());
  } else if (!arguments.times.empty()) {
    std::vector<std::int64_t> times_ns;
    for (const std::string& time : arguments.times) times_ns.push_back(*parse_time_ns(time));
    tell_moments(capture, times_ns, printer.taker());
  } else if (!arguments.state.empty()) {
    tell_state(capture, *StateMoment::parse(arguments.state), printer.taker());
  } else {
    print_answer("{}", memory_report(capture, set.name));
  }
  return true;
}

}  // namespace

int run_memory(int argc, const char* const* argv) {
  CommandLine line("vizd memory",
                   "For a snapshot that torch.cuda.memory._dump_snapshot() wrote: peaks, who held memory then, "
                   "fragmentation, why memory\nran out, and what is left. The allocator's event log is replayed; the "
                   "output says whether the end of the replay equals\nthe snapshot, and so whether it is exact. With "
                   "--json and no other option: the figures of vizd summary. For a trace\nwith profile_memory: who "
                   "held each memory at its peak, by operator, module and line.");
  MemoryArguments arguments;
  arguments.common.describe(line);
  std::vector<Argument> questions;
  questions.push_back(line.option("--timeline N", arguments.points, "The bytes at this many entries, evenly spaced"));
  questions.back().range(1, 1'000'000);
  questions.push_back(line.option("--at TIME,..", arguments.times,
                                  "The bytes at these Unix times: 1700000000.5s, or a number of nanoseconds"));
  questions.back().split_at(',');
  questions.push_back(
      line.option("--state MOMENT", arguments.state,
                  "The segments and their blocks at the end, at the peak, or after the entry with this number"));
  questions.push_back(line.flag("--allocations", arguments.allocations, "Every allocation with its lifetime"));
  questions.push_back(line.option(
      "--owners BY,..", arguments.owners,
      "Who holds what is allocated at the peak: by frame, line, way, file, operator, node, phase, size, pool, stream, "
      "annotation, metadata, compile, category, stack; for a trace by operator, module, line, category"));
  questions.back().split_at(',');
  questions.push_back(line.option("--leaks NAME", arguments.leaks,
                                  "What each step allocated and the next one left allocated, by line of the user's "
                                  "code; a step ends with an annotation whose name begins with NAME: ProfilerStep#"));
  for (std::size_t i = 0; i < questions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) questions[i].excludes(questions[j]);
  }
  line.option("--limit N [all]", arguments.limit, "At most this many rows of each table");
  line.check([&] { return problem_of(arguments); });
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto set = find_input(arguments.common);
  if (!set) return kExitFailure;
  RecordPrinter printer(arguments.common.json, arguments.limit);
  if (!answer(arguments, *set, printer)) return kExitFailure;
  printer.finish();
  return kExitOk;
}

}  // namespace vizd
