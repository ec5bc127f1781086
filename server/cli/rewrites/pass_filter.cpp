#include "cli/rewrites/pass_filter.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/ascii_case.h"
#include "base/clean_text.h"
#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/terminal.h"

namespace vizd {
namespace {

bool selects(const std::string& filter, std::size_t number, std::string_view name) {
  std::size_t wanted = 0;
  const auto [end, failed] = std::from_chars(filter.data(), filter.data() + filter.size(), wanted);
  if (failed == std::errc() && end == filter.data() + filter.size()) return wanted == number;
  return contains_in_any_case(one_line(name, false), filter);
}

}  // namespace

void PassFilter::describe(CommandLine& line) {
  line.option("--context NAME", context, "Only this context: its number, or a part of its name");
  line.option("--pass NAME", pass, "Only this pass: its number in its context, or a part of its name");
}

std::vector<PassRef> PassFilter::select(const Capture& capture) const {
  std::vector<PassRef> selected;
  const auto& contexts = capture.rewrites.contexts;
  for (std::uint32_t c = 0; c < contexts.size(); ++c) {
    if (!selects(context, c, capture.strings.get(contexts[c].name))) continue;
    const auto passes = capture.rewrites.passes_of(contexts[c]);
    for (std::uint32_t s = 0; s < passes.size(); ++s) {
      if (selects(pass, s, capture.strings.get(passes[s].name))) selected.push_back({c, s, &passes[s]});
    }
  }
  return selected;
}

int refuse_selection(const CommandLine& line, const PassFilter& filter) {
  print_error("{}: no pass{}{}; vizd show FILE lists the passes\n", line.name(),
              filter.pass.empty() ? "" : " " + filter.pass,
              filter.context.empty() ? "" : " in a context " + filter.context);
  return kExitFailure;
}

std::string location_text(const Capture& capture, LocationId id) {
  const Location& at = capture.rewrites.locations[index(id)];
  return fmt::format("{}:{}", capture.strings.get(at.file), at.line);
}

}  // namespace vizd
