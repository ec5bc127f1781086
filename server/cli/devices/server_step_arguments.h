// The options that say which steps of a server an answer about graph replays is of. One thread.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "analysis/graph_replay/replay_rows.h"
#include "cli/command_line/command_line.h"

namespace vizd {

// From the first to the last.
using StepNumbers = std::pair<std::int64_t, std::int64_t>;

// "7" or "5..20". None where it is neither.
std::optional<StepNumbers> parse_step_numbers(const std::string& text);

class ServerStepArguments {
 public:
  void describe(CommandLine& line);
  // Whether any was given. After CommandLine::parse(), as is what follows.
  bool is_given() const;
  // steps: those that an option of the command's names.
  StepChoice choice(const std::optional<StepNumbers>& steps) const;

 private:
  bool is_steady_ = false;
  std::string phase_;
};

}  // namespace vizd
