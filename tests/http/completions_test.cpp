// `vizd completions`, in the shells that it is for: each asks it for commands and options as on a Tab. A shell that is
// not installed is said to be skipped.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "http/child_process.h"
#include "support/catch.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::completions_test {

namespace {

bool skips(const std::string& shell) {
  const bool is_installed = std::system(("command -v " + shell + " >/dev/null 2>&1").c_str()) == 0;
  if (!is_installed) WARN(shell + " is not installed: skipped");
  return !is_installed;
}

// What the shell prints when it runs the script, with the built vizd first in its path.
std::string run_in(const std::string& shell, const std::string& script) {
  const TemporaryFolder folder;
  folder.write("script", script);
  const std::string command = "cd '" + folder.path() + "' && PATH='" +
                              std::filesystem::path(vizd_binary()).parent_path().string() +
                              "':\"$PATH\" HOME=. TERM=xterm timeout 60 " + shell + " script 2>&1";
  const auto close = [](std::FILE* pipe) { ::pclose(pipe); };
  const std::unique_ptr<std::FILE, decltype(close)> pipe(::popen(command.c_str(), "r"), close);
  REQUIRE(pipe);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(c);
  return text;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("bash completes commands, options and shells") {
  if (skips("bash")) return;
  const std::string text = run_in("bash", R"sh(eval "$(vizd completions bash)"
complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vizd; echo "${COMPREPLY[*]}"; }
complete_words vizd su
complete_words vizd export --to
complete_words vizd --por
complete_words vizd completions f
complete -p vizd
)sh");
  CHECK(text == "summary\n--to\n--port\nfish\ncomplete -o filenames -F _vizd vizd\n");
}

TEST_CASE("fish completes commands, options and shells") {
  if (skips("fish")) return;
  const std::string text = run_in("fish", R"sh(vizd completions fish | source
complete -C 'vizd su'
complete -C 'vizd export --to'
complete -C 'vizd --por'
complete -C 'vizd completions f'
)sh");
  CHECK(text == "summary\tPasses and rules by matches, events by time\n--to\n--port\nfish\n");
}

// zsh completes only in an interactive shell: one runs in a terminal of its own, where Tab lists what there is.
TEST_CASE("zsh completes commands, options and shells") {
  if (skips("zsh")) return;
  const std::string text = run_in("zsh -f", R"sh(zmodload zsh/zpty || exit
zpty inner 'PS1= zsh -f -i'
ask() { zpty -w -n inner $'\C-u'"$1"$'\t'; zpty -r inner answer "*$2*" && print -r -- "found $2"; }
zpty -w inner 'autoload -Uz compinit; compinit -u -d dump; bindkey "^I" list-choices'
zpty -w inner 'eval "$(vizd completions zsh)"; print READ""Y'
zpty -r inner answer '*READY*'
ask 'vizd su' 'summary  -- Passes and rules by matches'
ask 'vizd export --fro' '--from'
ask 'vizd completions ' 'bash  fish  zsh'
zpty -d inner
)sh");
  INFO(text);
  CHECK(holds(text, "found summary"));
  CHECK(holds(text, "found --from"));
  CHECK(holds(text, "found bash  fish  zsh"));
}

TEST_CASE("vizd completions knows three shells") {
  ChildProcess process({"completions", "tcsh"}, {});
  CHECK(process.wait_for_end() == 2);
  CHECK(holds(process.standard_error, "tcsh"));
  CHECK(process.standard_output.empty());
}

}  // namespace vizd::completions_test
