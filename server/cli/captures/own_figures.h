// The figures that people expect of captures of one kind, beside those that `vizd summary` has of all: what a trace
// holds, and what a program tells that people knew before. The one place that decides which those are. One thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "reference/programs.h"

namespace vizd {

struct OwnFigures {
  // Prints them to stdout: with json one record a line, else as tables. Null where the capture has none.
  std::function<Result<void>(bool json, const SummaryOptions& options)> print = nullptr;
  bool has_tables = false;      // else they are for --json alone
  bool has_references = false;  // may be asked for as another program has them, or run by run
};

// Of a capture that was read of that set; refers to both.
OwnFigures own_figures(const InputSet& set, const Capture& capture);

// The versions of other programs whose figures vizd can give.
std::vector<std::string> all_references();

}  // namespace vizd
