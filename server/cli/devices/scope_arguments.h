// The options that say which part of the devices' work a command is about. One thread.
#pragma once

#include <optional>
#include <string>

#include "analysis/devices/work_scope.h"
#include "cli/command_line/command_line.h"

namespace vizd {

class ScopeArguments {
 public:
  void describe(CommandLine& line);
  // After CommandLine::parse().
  WorkScope scope() const;

 private:
  std::int64_t from_ns_ = 0, to_ns_ = 0, step_ = 0;
  std::string rank_, device_, kernel_;
  std::optional<Argument> has_from_, has_to_, has_step_, has_rank_, has_device_, has_kernel_;
};

}  // namespace vizd
