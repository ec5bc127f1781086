// Answers on stdout that are told within a budget (answer_budget.h), and the parts of an answer that it must know of.
// What is written by write_answer (standard_streams.h) goes through the budget too, line by line.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string_view>
#include <utility>

#include "base/answer_budget.h"

namespace vizd {

// As write_answer, and says which part of the answer it is.
void write_answer_part(std::string_view text, AnswerPart part, std::FILE* out = stdout);

// One record of several lines, which a budget takes as a whole.
template <typename... Args>
void print_record(fmt::format_string<Args...> format, Args&&... args) {
  write_answer_part(fmt::format(format, std::forward<Args>(args)...), AnswerPart::kRecord);
}

// From now on answers on stdout go through the budget, until there is none; it lives as long. Of the whole process, as
// stdout is: set before the answer's first word, on the command's own thread.
void bound_answers(AnswerBudget* budget);

}  // namespace vizd
