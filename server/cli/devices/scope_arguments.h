// The options that say which part of the devices' work a command is about. One thread.
#pragma once

#include <optional>
#include <string>

#include "analysis/devices/work_scope.h"
#include "cli/command_line/command_line.h"
#include "cli/devices/server_step_arguments.h"

namespace vizd {

class ScopeArguments {
 public:
  void describe(CommandLine& line);
  // After CommandLine::parse().
  WorkScope scope() const;
  // The steps that are named; a scope is of one at most, answers about graph replays of several.
  std::optional<StepNumbers> steps() const;
  // What is wrong with them where the answer is about graph replays, which are chosen by steps alone; "": nothing.
  std::string problem_of_replays() const;
  // The same of any other answer, which takes none of the options of the server's steps.
  std::string problem_of_others(const ServerStepArguments& server) const;

 private:
  std::int64_t from_ns_ = 0, to_ns_ = 0;
  std::string step_, rank_, device_, kernel_;
  std::optional<Argument> has_from_, has_to_, has_step_, has_rank_, has_device_, has_kernel_;
};

}  // namespace vizd
