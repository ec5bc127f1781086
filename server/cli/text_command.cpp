// vizd text FILE --context C --step S --match K: the graph after a match as the compiler prints it; with --diff, what
// the match did.
#include <fmt/core.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/records.h"
#include "cli/step_filter.h"
#include "cli/terminal.h"
#include "rewrite/match_detail.h"

namespace vizd {
namespace {

struct Arguments {
  CommonArguments common;
  StepFilter steps;
  std::uint32_t match = 0;
  bool diff = false;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line;
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

void print_text(std::string_view text, bool ends_line) {
  const std::string shown = many_lines(text, wants_colour(stdout));
  fmt::print("{}{}", shown, ends_line && !shown.ends_with('\n') ? "\n" : "");
}

Result<void> print_step(const Capture& capture, const StepRef& ref, const Arguments& arguments, Records& records) {
  const auto history = build_history(capture, *ref.of, {});
  if (!history) return history.error();
  std::string text;
  std::string rule;
  if (arguments.diff) {
    const auto detail = match_detail(capture, *ref.of, *history, arguments.match);
    if (!detail) return detail.error();
    text = joined(detail->diff);
    rule = location_text(capture, detail->match.rule);
  } else {
    auto graph = state_text(capture, *history, arguments.match);
    if (!graph) return graph.error();
    text = std::move(*graph);
  }
  if (arguments.common.json) {
    records.add({ref.context, ref.step, arguments.match, rule, text});
  } else {
    if (arguments.diff) fmt::print("{}\n", one_line(rule, false));
    print_text(text, true);
  }
  return {};
}

}  // namespace

int run_text(int argc, const char* const* argv) {
  CLI::App app("Prints the graph of a step after a match, as the compiler prints it.", "vizd text");
  Arguments arguments;
  arguments.common.describe(app);
  arguments.steps.describe(app);
  app.add_option("--match", arguments.match, "After so many matches; 0 is the step's input")->option_text("N [0]");
  app.add_flag("--diff", arguments.diff, "What that match did to what it matched, and its rule's place");
  if (const auto code = parse_arguments(app, argc, argv)) return *code;
  if (arguments.diff && arguments.match == 0) return refuse_usage(app, "--diff needs --match, from 1");
  const auto input = open_input(arguments.common);
  if (!input) return kExitFailure;
  const std::vector<StepRef> steps = arguments.steps.select(input->capture);
  if (steps.empty()) return refuse_selection(app, arguments.steps);
  if (steps.size() > 1 && !arguments.common.json)
    return refuse_usage(app, fmt::format("{} steps are meant; say which with --context and --step", steps.size()));
  Records records({"context", "step", "match", "rule", "text"});
  for (const StepRef& ref : steps) {
    if (steps.size() > 1 && arguments.match > ref.of->match_count) continue;
    if (const auto printed = print_step(input->capture, ref, arguments, records); !printed) {
      fmt::print(stderr, "vizd text: {}\n", printed.error().text());
      return kExitFailure;
    }
  }
  if (arguments.common.json) records.print_json(stdout);
  return kExitOk;
}

}  // namespace vizd
