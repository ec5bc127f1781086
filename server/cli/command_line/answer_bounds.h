// --budget and --after: how much of an answer is told at once. A table in a pipe has a budget without being asked, and
// with VIZD_AGENT=1 in the environment one on a terminal or in a file too; with VIZD_AGENT=0 none has. One thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/answer_budget.h"

namespace vizd {

// What fits a reader that pays for each byte: some 2,000 tokens.
inline constexpr std::size_t kAgentBudget_bytes = 8192;

// The budget of a command that is run so; none: its answer is told whole. The words are those of a command line that
// may make no sense: the command says so itself.
// is_document: it is one whole of which a part is of no use.
std::optional<AnswerBudget> answer_budget_of(std::string_view command, bool is_document, int argc,
                                             const char* const* argv);

}  // namespace vizd
