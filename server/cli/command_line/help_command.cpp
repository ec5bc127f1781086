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
      "\n## Captures\n\nEvery command on captures takes these options; the last ones are for single formats.\n\n| "
      "argument | meaning |\n|---|---|\n| `FILE`, `DIR` | captures, recognised by their content, and folders of them; "
      "files compressed with gzip or zstd are unpacked, and files that belong together are one capture |\n");
  line.print_page_rows(kCommonOptions);
  line.print_page_rows(kFormatOptions);
}

// Prints the options that belong to one format.
int print_format(const Format& format) {
  InputArguments inputs(&format);
  CommandLine line("", "");
  inputs.describe_options(line);
  const std::string options = line.help_of_group(kFormatOptions);
  print_answer("{}: {}\n{}", format.name, format.hint.files,
               options.empty() ? "\nIt has no options of its own.\n" : options);
  return kExitOk;
}

int print_page() {
  print_answer(
      "# Commands and options\n\n"
      "`vizd help --markdown` prints this page, and `scripts/goldens` holds it against that. `vizd help COMMAND` "
      "prints\n"
      "the part about one command.\n\n| command | what it answers |\n|---|---|\n");
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
  CommandLine line("vizd help", "Shows how to use vizd, one of its commands, or the options of one format.");
  std::string name;
  bool is_page = false;
  line.positional("command", "[COMMAND|FORMAT|commands|agent]", name,
                  "A command or a format; commands: a list of all commands; agent: how to ask, for scripts and coding "
                  "agents");
  line.flag("--markdown", is_page, "Print all commands with their options, as docs/commands.md has them");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (is_page) return print_page();
  if (name == "agent") {
    print_answer("{}", agent_page());
    return kExitOk;
  }
  if (name == "commands") {
    print_answer("{}", command_list());
    return kExitOk;
  }
  if (name.empty() || find_command(name) != nullptr) return ask(name.empty() ? "vizd" : name.c_str(), "--help");
  if (const auto format = std::ranges::find(formats(), name, &Format::name); format != formats().end())
    return print_format(**format);
  const std::string close = close_command(name);
  return line.refuse(fmt::format("unknown command '{}'; {}", name,
                                 close.empty() ? "vizd help commands lists them" : "did you mean " + close + "?"));
}

}  // namespace vizd
