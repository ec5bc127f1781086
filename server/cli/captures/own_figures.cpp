#include "cli/captures/own_figures.h"

#include <fmt/core.h>

#include "cli/captures/trace_records.h"
#include "model/trace_words.h"

namespace vizd {

OwnFigures own_figures(const InputSet& set, const Capture& capture) {
  if (reference_program(set.format).summarize != nullptr) {
    const auto print_of_format = [&](bool, const SummaryOptions& options) {
      OpenSet files(set);
      return reference_program(set.format).summarize(files, capture, options, [](std::string_view text) {
        fmt::print("{}", text);
      });
    };
    return {.print = print_of_format, .has_tables = false, .has_references = true};
  }
  if (trace::is_of_trace(capture)) {
    const auto print_of_trace = [&](bool json, const SummaryOptions&) {
      print_trace_records(capture, stdout, json);
      return Result<void>();
    };
    return {.print = print_of_trace, .has_tables = true, .has_references = false};
  }
  return {};
}

std::vector<std::string> all_references() {
  std::vector<std::string> all;
  for (const ReferenceProgram* program : reference_programs())
    all.insert(all.end(), program->versions.begin(), program->versions.end());
  return all;
}

}  // namespace vizd
