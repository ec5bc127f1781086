// The arguments that every command on a capture takes.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "session/capture_files.h"

namespace vizd {

struct CommonArguments {
  std::vector<std::string> paths;
  std::string kernels, profile;  // a pair by its options, as for serving
  bool json = false;             // one record a line

  // Refuses a command line that names no capture.
  void describe(CommandLine& line);
  // The captures that are meant; a pair named by its options comes first.
  std::vector<CaptureFiles> captures() const;
};

}  // namespace vizd
