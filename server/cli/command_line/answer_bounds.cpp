#include "cli/command_line/answer_bounds.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace vizd {
namespace {

// Whether a table has a budget without being asked: in a pipe, whose reader may be an agent, unless VIZD_AGENT=0 says
// that it is a program; and with VIZD_AGENT=1 on a terminal and in a file too, through which an agent's shell may hand
// it on. Without that, what goes into a file is for a program.
bool is_for_agent() {
  const char* const value = std::getenv("VIZD_AGENT");
  const std::string_view said = value == nullptr ? "" : value;
  if (!said.empty()) return said != "0";
  struct stat out {};
  return ::fstat(STDOUT_FILENO, &out) == 0 && (S_ISFIFO(out.st_mode) || S_ISSOCK(out.st_mode));
}

// The number that the option is given at argv[i], as "NAME N" or "NAME=N", and how many words that is; 0: it is not it.
int read_bound(std::string_view name, int argc, const char* const* argv, int i, std::optional<std::uint64_t>& into) {
  std::string_view word = argv[i];
  if (!word.starts_with(name)) return 0;
  word.remove_prefix(name.size());
  int words = 1;
  if (word.empty()) {
    if (i + 1 == argc) return 1;
    word = argv[i + 1];
    words = 2;
  } else if (word.front() == '=') {
    word.remove_prefix(1);
  } else {
    return 0;
  }
  std::uint64_t number = 0;
  if (std::from_chars(word.data(), word.data() + word.size(), number).ec == std::errc()) into = number;
  return words;
}

}  // namespace

std::optional<AnswerBudget> answer_budget_of(std::string_view command, bool is_document, int argc,
                                             const char* const* argv) {
  std::optional<std::uint64_t> most_bytes, after;
  std::string again = fmt::format("vizd {}", command);
  bool is_json = false, is_for_program = false;
  for (int i = 1; i < argc;) {
    int words = read_bound("--budget", argc, argv, i, most_bytes);
    if (words == 0) words = read_bound("--after", argc, argv, i, after);
    if (words == 0) {
      const std::string_view word = argv[i];
      is_json = is_json || word == "--json";
      is_for_program = is_for_program || is_json || word == "--csv" || word == "--tsv";
      again += " " + shell_word(argv[i++]);
    }
    i += words;
  }
  if (!most_bytes && !is_document && !is_for_program && is_for_agent()) most_bytes = kAgentBudget_bytes;
  if (!most_bytes && !after) return std::nullopt;
  return std::make_optional<AnswerBudget>(most_bytes.value_or(0), after.value_or(0), std::move(again), is_json);
}

}  // namespace vizd
