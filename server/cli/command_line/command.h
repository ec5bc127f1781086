// Command: one that `vizd NAME …` runs instead of serving: the page's answers in the terminal. One file a
// command, one line of the table in command.cpp each. A command reads its own arguments, prints its answer on stdout
// and what went wrong on stderr.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vizd {

// Exit codes of every command.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // the input cannot be read, or does not hold what is asked for
inline constexpr int kExitUsage = 2;    // the arguments make no sense

struct Command {
  std::string_view name;
  std::string_view about;  // one line
  // argv[0] is the command's name. Returns the exit code.
  int (*run)(int argc, const char* const* argv);
};

// Runs the command, and makes sure that its answer was written: else it fails, and says so unless its reader left.
int run(const Command& command, int argc, const char* const* argv);

std::span<const Command> commands();
// The command of that name, or null: the word is then something else, a file perhaps.
const Command* find_command(std::string_view name);
// The command whose name is nearest to a misspelled one; "" if none is near, or if the word looks like a path.
std::string close_command(std::string_view name);
// All commands, a line each.
std::string command_list();

int run_assert(int argc, const char* const* argv);
int run_augment(int argc, const char* const* argv);
int run_breakdown(int argc, const char* const* argv);
int run_check(int argc, const char* const* argv);
int run_check_job(int argc, const char* const* argv);
int run_combine(int argc, const char* const* argv);
int run_compare(int argc, const char* const* argv);
int run_completions(int argc, const char* const* argv);
int run_convert(int argc, const char* const* argv);
int run_counters(int argc, const char* const* argv);
int run_cut(int argc, const char* const* argv);
int run_demo(int argc, const char* const* argv);
int run_diagnose(int argc, const char* const* argv);
int run_events(int argc, const char* const* argv);
int run_export(int argc, const char* const* argv);
int run_help(int argc, const char* const* argv);
int run_instructions(int argc, const char* const* argv);
int run_kernel_graph(int argc, const char* const* argv);
int run_kernels(int argc, const char* const* argv);
int run_licences(int argc, const char* const* argv);
int run_link(int argc, const char* const* argv);
int run_ls(int argc, const char* const* argv);
int run_mark(int argc, const char* const* argv);
int run_mcp(int argc, const char* const* argv);
int run_memory(int argc, const char* const* argv);
int run_open(int argc, const char* const* argv);
int run_operators(int argc, const char* const* argv);
int run_pull(int argc, const char* const* argv);
int run_push(int argc, const char* const* argv);
int run_rules(int argc, const char* const* argv);
int run_show(int argc, const char* const* argv);
int run_skill(int argc, const char* const* argv);
int run_sql(int argc, const char* const* argv);
int run_summary(int argc, const char* const* argv);
int run_text(int argc, const char* const* argv);
int run_where(int argc, const char* const* argv);

}  // namespace vizd
