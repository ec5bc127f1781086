// Arguments of a command, by CLI11: what all commands have, and what is said where they make no sense.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "session/capture_files.h"

namespace vizd {

// What every command on a capture takes.
struct CommonArguments {
  std::vector<std::string> paths;
  std::string kernels, profile;  // a pair by its options, as for serving
  bool json = false;             // one record a line

  void describe(CLI::App& app);
  // The captures that are meant; a pair named by its options comes first.
  std::vector<CaptureFiles> captures() const;
};

// Parses. None: go on; else the program ends with that code, and what there is to say was printed (help on stdout, a
// problem in one line on stderr).
std::optional<int> parse_arguments(CLI::App& app, int argc, const char* const* argv);

// Prints "vizd NAME: PROBLEM" on stderr.
int refuse_usage(const CLI::App& app, const std::string& problem);

}  // namespace vizd
