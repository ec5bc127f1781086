// The arguments that every command on a capture takes.
#pragma once

#include "cli/command_line/command_line.h"
#include "cli/command_line/inputs.h"

namespace vizd {

struct CommonArguments {
  InputArguments inputs;
  bool json = false;  // one record a line

  // Refuses a command line that names no capture.
  void describe(CommandLine& line);
};

}  // namespace vizd
