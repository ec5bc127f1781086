// vizd help [COMMAND | --markdown]: how to use vizd, a command, or all of them as docs/commands.md has it.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/standard_streams.h"
#include "cli/agent/agent_page.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/options.h"
#include "formats/registry.h"

namespace vizd {
namespace {

// Has vizd, or one of its commands, answer as if that were its one argument.
int ask(const char* name, const char* argument) {
  const std::array<const char*, 2> arguments{name, argument};
  const Command* command = find_command(name);
  return command != nullptr ? command->run(2, arguments.data()) : parse_options(2, arguments.data()).exit_code;
}

void print_formats() {
  print_answer("\n## Formats\n\nThe names that `--format` and `--to` take.\n\n");
  print_answer("| name | reads | writes, with `vizd convert --to` and `vizd export --to` |\n|---|---|---|\n");
  for (const Format* format : formats())
    print_answer("| `{}` | {} | {} |\n", format->name, format->hint.files,
                 format->writer != nullptr ? format->writer->about : "");
}

// Prints the options that all commands which open captures share.
void print_captures() {
  CommandLine line("", "");
  CommonArguments common;
  common.describe(line);
  print_answer(
      "\n## Captures\n\nEvery command on captures takes these; the last are for single formats.\n\n"
      "| argument | meaning |\n|---|---|\n"
      "| `FILE`, `DIR` | captures, known by their content, and folders of them; files packed by gzip or zstd are "
      "unpacked, and files that belong together are one capture |\n");
  line.print_page_rows(kCommonOptions);
  line.print_page_rows(kFormatOptions);
}

int print_page() {
  print_answer(
      "# Commands and options\n\n"
      "`vizd help --markdown` prints this page, and `scripts/goldens` holds it against that. `vizd help COMMAND` "
      "tells\n"
      "the same of one command.\n\n| command | what it answers |\n|---|---|\n");
  for (const Command& command : commands())
    print_answer("| [`vizd {0}`](#vizd-{0}) | {1} |\n", command.name, command.about);
  print_captures();
  print_formats();
  int code = ask("vizd", CommandLine::kPageHelp);
  for (const Command& command : commands()) code = std::max(code, ask(command.name.data(), CommandLine::kPageHelp));
  return code;
}

}  // namespace

int run_help(int argc, const char* const* argv) {
  CommandLine line("vizd help", "Tells how to use vizd, or one of its commands.");
  std::string name;
  bool is_page = false;
  line.positional(
      "command", "[COMMAND|agent]", name,
      "The command; without one, vizd itself and a list of its commands; agent: how to ask, for scripts and "
      "coding agents");
  line.flag("--markdown", is_page, "Print all commands with their options, as docs/commands.md has them");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (is_page) return print_page();
  if (name == "agent") {
    print_answer("{}", agent_page());
    return kExitOk;
  }
  if (name.empty() || find_command(name) != nullptr) return ask(name.empty() ? "vizd" : name.c_str(), "--help");
  print_error("vizd help: there is no command {}; vizd help lists them\n", name);
  return kExitUsage;
}

}  // namespace vizd
