#include "cli/command_line/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <system_error>
#include <vector>

#include "base/bounded_answers.h"
#include "base/close_match.h"
#include "base/standard_streams.h"
#include "cli/command_line/answer_bounds.h"

namespace vizd {
namespace {

constexpr std::array kCommands{
    Command{"assert", "Checks figures of a capture against limits, for CI", run_assert},
    Command{"augment", "A trace with the arithmetic and bytes of its kernels and operators added", run_augment},
    Command{"breakdown", "Where the time of devices went: kinds of work, and causes of idle time", run_breakdown},
    Command{"check", "Whether captures are complete, and what is wrong with them and where", run_check},
    Command{"check-job", "Whether a rank of a job in a store is slow, or steps got slower, for alerts", run_check_job},
    Command{"combine", "Several traces in one file, kept apart", run_combine},
    Command{"compare", "What changed from one profile to another, kernel by kernel", run_compare},
    Command{"completions", "Completion of commands and options for bash, zsh and fish", run_completions},
    Command{"convert", "A capture of any format as one file of vizd's own, which opens faster", run_convert},
    Command{"counters", "What a GPU counted while each kernel ran, and the rates derived from it", run_counters},
    Command{"cut", "A time range, or one step, of a profile as a file", run_cut},
    Command{"demo", "Small captures of every format, written into a folder and opened", run_demo},
    Command{"diagnose", "What cost the most time, with what confidence, and what to do about it", run_diagnose},
    Command{"events", "Events by time or by name, with what the compiler did for each", run_events},
    Command{"export", "Graphs as dot, svg or json; profiles as csv, tsv, json or Chrome traces", run_export},
    Command{"help", "How to use a command: vizd help COMMAND", run_help},
    Command{"instructions", "Where the cycles of a GPU's waves went, instruction by instruction", run_instructions},
    Command{"kernel-graph", "Launches of kernels, and the buffers passed between them", run_kernel_graph},
    Command{"kernels", "What ran on the devices: launches, durations, arithmetic, memory", run_kernels},
    Command{"licences", "The licences of everything in vizd", run_licences},
    Command{"link", "Which operator of a trace made each allocation of a memory snapshot", run_link},
    Command{"ls", "What is in a capture: counts, contexts and lanes", run_ls},
    Command{"mark", "A mark with a note on the open page of a vizd that shares it", run_mark},
    Command{"mcp", "The read-only commands as tools of the Model Context Protocol", run_mcp},
    Command{"memory", "A PyTorch memory snapshot: peaks, owners, fragmentation, leaks", run_memory},
    Command{"open", "The link that shows one thing of a capture in a running vizd", run_open},
    Command{"operators", "What PyTorch's operators took: calls, self and total time, memory, FLOP", run_operators},
    Command{"pull", "A rank of a job from the store, as a file of vizd's own", run_pull},
    Command{"push", "Captures into a store (ClickHouse), where a job's ranks are queried together", run_push},
    Command{"rules", "What each rule did in the whole capture, and which rules undo each other", run_rules},
    Command{"show", "Contexts and their passes, a pass's matches, or the nodes that a query finds", run_show},
    Command{"skill", "What a coding agent needs to know to use vizd, as a skill", run_skill},
    Command{"sql", "SQL over tables of events, arguments, allocations, matches and rules", run_sql},
    Command{"summary", "Passes and rules by matches, events by time", run_summary},
    Command{"text", "A pass's graph after a match, as the compiler prints it", run_text},
    Command{"where", "What is on screen in a vizd that shares its page", run_where},
};

// What they print is one whole, of which a part is of no use.
constexpr std::array<std::string_view, 6> kDocuments{"completions", "export", "help", "licences", "mcp", "skill"};
bool prints_document(std::string_view command) { return std::ranges::find(kDocuments, command) != kDocuments.end(); }

}  // namespace

std::span<const Command> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  if (name == "licenses") name = "licences";  // as others spell it
  const auto found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : &*found;
}

std::string close_command(std::string_view name) {
  if (name.find_first_of("./") != std::string_view::npos) return "";
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return close_match(name, names);
}

std::string command_list() {
  std::string text = "Commands, as vizd COMMAND FILE (to open a file with such a name, write ./COMMAND):\n";
  for (const Command& command : kCommands) text += fmt::format("  {:<24}{}\n", command.name, command.about);
  return text;
}

int run(const Command& command, int argc, const char* const* argv) {
  std::error_code failure;
  int code = kExitFailure;
  try {
    auto budget = answer_budget_of(command.name, prints_document(command.name), argc, argv);
    if (budget) bound_answers(&*budget);
    code = command.run(argc, argv);
    bound_answers(nullptr);
    if (budget) write_answer(budget->end());
    if (flush_output()) return code;
    failure = {errno, std::generic_category()};
  } catch (const std::system_error& e) {
    failure = e.code();
  } catch (const std::bad_alloc&) {
    print_error("vizd {}: out of memory\n", command.name);
    return kExitFailure;
  }
  if (failure != std::errc::broken_pipe)
    print_error("vizd {}: the answer cannot be written: {}\n", command.name, failure.message());
  return kExitFailure;
}

}  // namespace vizd
