#include "cli/captures/own_figures.h"

#include <fmt/core.h>

#include "cli/captures/trace_records.h"
#include "model/trace_words.h"

namespace vizd {

OwnFigures own_figures(const InputSet& set, const Capture& capture) {
  if (set.format != nullptr && set.format->summarize != nullptr) {
    const auto print_of_format = [&](bool, const SummaryOptions& options) {
      OpenSet files(set);
      return set.format->summarize(files, capture, options, [](std::string_view text) { fmt::print("{}", text); });
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
  for (const Format* format : formats()) all.insert(all.end(), format->references.begin(), format->references.end());
  return all;
}

}  // namespace vizd
