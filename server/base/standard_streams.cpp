#include "base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "base/bounded_answers.h"

namespace vizd {
namespace {

AnswerBudget*& answer_budget() {
  static AnswerBudget* budget = nullptr;
  return budget;
}

}  // namespace

void keep_standard_streams() {
  // open takes the lowest number that is free.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Not to be written to where that would be stdout: an answer that nobody gets is an error.
    if (::fcntl(descriptor, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR));
  }
}

void write_leniently(std::FILE* out, std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), out));
}

bool wants_colour(std::FILE* out) {
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == 0) && ::isatty(::fileno(out)) == 1;
}

void write_answer(std::string_view text, std::FILE* out) { write_answer_part(text, AnswerPart::kLines, out); }

void write_answer_part(std::string_view text, AnswerPart part, std::FILE* out) {
  std::string clean = many_columns(text, wants_colour(out));
  if (out == stdout && answer_budget() != nullptr) clean = answer_budget()->take(clean, part);
  fmt::print(out, "{}", clean);
}

void bound_answers(AnswerBudget* budget) { answer_budget() = budget; }

bool flush_output() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace vizd
