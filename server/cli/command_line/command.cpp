#include "cli/command_line/command.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <system_error>

#include "base/bounded_answers.h"
#include "base/standard_streams.h"
#include "cli/command_line/answer_bounds.h"

namespace vizd {
namespace {

constexpr std::array kCommands{
    Command{"assert", "Whether figures of a capture stand as they should, for CI", run_assert},
    Command{"augment", "A trace written back with the arithmetic and bytes of its kernels and operators", run_augment},
    Command{"breakdown", "Where the time of devices went: busy with what, idle because of what", run_breakdown},
    Command{"check", "Whether captures are whole, and what is wrong with them where", run_check},
    Command{"check-job", "Whether a rank of a job in a store is slow, and whether steps got slower, for alerts",
            run_check_job},
    Command{"combine", "Several traces as one file, kept apart", run_combine},
    Command{"compare", "What changed from one profile to another, kernel by kernel", run_compare},
    Command{"completions", "Completion of commands and options for bash, zsh and fish", run_completions},
    Command{"convert", "A capture of any format as one file of vizd's own, which opens faster", run_convert},
    Command{"counters", "What a GPU counted while each kernel ran, with the rates that follow", run_counters},
    Command{"cut", "A stretch of time, or a step, of a profile as a file of its own", run_cut},
    Command{"demo", "Small captures of what vizd reads, written into a folder and opened", run_demo},
    Command{"diagnose", "What cost the most time, how sure that is, and what to do about it", run_diagnose},
    Command{"events", "What happened, by time or by name, with what the compiler did for it", run_events},
    Command{"export", "Graphs as dot, svg or json; profiles as csv, tsv, json or Chrome traces", run_export},
    Command{"help", "How to use a command: vizd help COMMAND", run_help},
    Command{"instructions", "Where the cycles of a GPU's waves went, instruction by instruction", run_instructions},
    Command{"kernel-graph", "Launches of kernels, and the buffers that they hand to one another", run_kernel_graph},
    Command{"kernels", "What ran on the devices: launches, durations, arithmetic, memory", run_kernels},
    Command{"licences", "The licences of all that vizd is made of", run_licences},
    Command{"link", "Which operator of a trace asked for each allocation of a memory snapshot", run_link},
    Command{"ls", "What is in a capture: counts, contexts and lanes", run_ls},
    Command{"mark", "A mark with a note on the open page of a vizd that shares it", run_mark},
    Command{"mcp", "The commands that ask, as tools of the Model Context Protocol", run_mcp},
    Command{"memory", "Every byte of a PyTorch memory snapshot: peaks, owners, fragmentation, leaks", run_memory},
    Command{"open", "The link that shows one thing of a capture in a running vizd", run_open},
    Command{"operators", "What PyTorch's operators took: calls, self and total time, memory, FLOP", run_operators},
    Command{"pull", "A rank of a job, from the store it was pushed to, as a file of vizd's own", run_pull},
    Command{"push", "Captures into a store of many: ClickHouse, where a job's ranks are asked together", run_push},
    Command{"rules", "What each rule did in the whole capture, and which undo each other", run_rules},
    Command{"show", "Contexts and their passes, a pass's matches, or the nodes that a query finds", run_show},
    Command{"skill", "What a coding agent needs to know to ask vizd, as a skill", run_skill},
    Command{"sql", "Questions in SQL: tables of events, arguments, allocations, matches, rules", run_sql},
    Command{"summary", "Passes and rules by matches, events by time", run_summary},
    Command{"text", "A pass's graph after a match, as the compiler prints it", run_text},
    Command{"where", "What somebody has on the page of a vizd that shares it", run_where},
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
    print_error("vizd {}: needs more memory than there is\n", command.name);
    return kExitFailure;
  }
  if (failure != std::errc::broken_pipe)
    print_error("vizd {}: the answer cannot be written: {}\n", command.name, failure.message());
  return kExitFailure;
}

}  // namespace vizd
