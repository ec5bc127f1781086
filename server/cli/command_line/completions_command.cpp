// vizd completions SHELL: a script that teaches a shell vizd's commands. Options are asked of `vizd COMMAND --help-all`
// when they are completed, so that they are always those of the vizd that is there.
#include <fmt/core.h>

#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"

namespace vizd {
namespace {

constexpr std::string_view kBash = R"sh(# eval "$(vizd completions bash)"
_vizd() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} help=(--help-all)
  COMPREPLY=()
  if [[ $word == -* ]]; then
    [[ $COMP_CWORD -gt 1 && " $_vizd_commands " == *" $command "* ]] && help=("$command" --help-all)
    COMPREPLY=($(compgen -W "$(vizd "${help[@]}" 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)" -- "$word"))
    return
  fi
  [[ $COMP_CWORD -eq 1 || $command == help ]] && COMPREPLY=($(compgen -W "$_vizd_commands" -- "$word"))
  [[ $command == completions ]] && COMPREPLY+=($(compgen -W "bash zsh fish" -- "$word"))
  COMPREPLY+=($(compgen -f -- "$word"))
}
complete -o filenames -F _vizd vizd
)sh";

constexpr std::string_view kZsh = R"sh(#compdef vizd
# vizd completions zsh > "${fpath[1]}/_vizd", or: eval "$(vizd completions zsh)"
_vizd() {
  local -a options
  local help=(--help-all)
  if [[ $PREFIX == -* ]]; then
    (( CURRENT > 2 && ${_vizd_commands[(I)${words[2]}:*]} )) && help=("${words[2]}" --help-all)
    options=(${(uf)"$(vizd $help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*')"})
    compadd -a options
    return
  fi
  if (( CURRENT == 2 )) || [[ ${words[2]} == help ]]; then _describe command _vizd_commands; fi
  if [[ ${words[2]} == completions ]]; then compadd bash zsh fish; fi
  _files
}
if [[ $funcstack[1] == _vizd ]]; then _vizd "$@"; else compdef _vizd vizd; fi
)sh";

constexpr std::string_view kFish =
    R"sh(complete -c vizd -n "string match -q -- '-*' (commandline -ct)" -f -a '(__vizd_options)'
complete -c vizd -n "__fish_seen_subcommand_from completions" -f -a "bash zsh fish"
function __vizd_options
  set -l words (commandline -opc)
  if test (count $words) -gt 1; and contains -- $words[2] $__vizd_commands
    vizd $words[2] --help-all 2>/dev/null | string match -rag -- '(--[a-z][a-z-]*)' | sort -u
  else
    vizd --help-all 2>/dev/null | string match -rag -- '(--[a-z][a-z-]*)' | sort -u
  end
end
)sh";

std::string names() {
  std::string all;
  for (const Command& command : commands()) all += (all.empty() ? "" : " ") + std::string(command.name);
  return all;
}

// In single quotes for a shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

void print_fish() {
  print_answer("set -g __vizd_commands {}\n", names());
  for (const Command& command : commands()) {
    print_answer("complete -c vizd -n 'test (count (commandline -opc)) -eq 1' -a {} -d {}\n", command.name,
                 shell_quoted(command.about));
  }
  print_answer("complete -c vizd -n '__fish_seen_subcommand_from help' -f -a '{}'\n{}", names(), kFish);
}

void print_zsh() {
  // The first line must be zsh's own.
  const auto line_end = kZsh.find('\n') + 1;
  print_answer("{}typeset -ga _vizd_commands=(\n", kZsh.substr(0, line_end));
  for (const Command& command : commands()) {
    std::string about(command.about);
    for (std::size_t at = 0; (at = about.find(':', at)) != std::string::npos; at += 2) about.insert(at, 1, '\\');
    print_answer("  {}\n", shell_quoted(fmt::format("{}:{}", command.name, about)));
  }
  print_answer(")\n{}", kZsh.substr(line_end));
}

}  // namespace

int run_completions(int argc, const char* const* argv) {
  CommandLine line("vizd completions",
                   "Prints a script that adds vizd's commands and options to a shell's completion:\n  bash: eval "
                   "\"$(vizd completions bash)\" in ~/.bashrc\n  zsh:  eval \"$(vizd completions zsh)\" in ~/.zshrc\n  "
                   "fish: vizd completions fish > ~/.config/fish/completions/vizd.fish");
  std::string shell;
  line.positional("shell", "", shell, "bash, zsh or fish").one_of({"bash", "zsh", "fish"}).required();
  if (const auto code = line.parse(argc, argv)) return *code;
  if (shell == "bash") print_answer("_vizd_commands={}\n{}", shell_quoted(names()), kBash);
  if (shell == "zsh") print_zsh();
  if (shell == "fish") print_fish();
  return kExitOk;
}

}  // namespace vizd
