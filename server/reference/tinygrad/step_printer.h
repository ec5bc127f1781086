// StepPrinter: what a context's passes and its program are, printed in the words of tinygrad's own command line
// (viz/cli.py): names of steps, graphs, source, every match with its diff. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "derived/program_codes.h"
#include "disasm/source_lines.h"
#include "reference/tinygrad/steps.h"
#include "rewrite/history.h"
#include "session/loaded_capture.h"

namespace vizd {

// How much to print of a context, as DEBUG says it to tinygrad: from 3 the base AST, from 4 the source, from 5 the list
// of steps and the kernel graph, from 6 every graph, from 7 every match.
struct StepDetail {
  int level = 0;
  bool lists = false;               // the list of steps at any level
  std::vector<std::string> wanted;  // steps of these names with graph and matches, at any level
};

class StepPrinter {
 public:
  StepPrinter(std::shared_ptr<const LoadedCapture> loaded, bool json, bool colour);

  void print(std::uint32_t context, const StepDetail& detail);
  // A text on lines of its own, or {"value": text}.
  void print_value(std::string_view text) const;

 private:
  void print_step(std::uint32_t context, const ReferenceStep& step, bool with_graph, bool with_matches);
  void print_pass(const Pass& pass, bool with_graph, bool with_matches);
  void print_match(const Pass& pass, const History& history, std::uint32_t state);

  const std::shared_ptr<const LoadedCapture> loaded_;
  const Capture& capture_;
  const bool json_, colour_;
  SourceLines sources_;
  ProgramCodes programs_;
};

}  // namespace vizd
