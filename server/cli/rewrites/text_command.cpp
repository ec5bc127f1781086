// vizd text FILE --context C --pass S --match K: the graph after a match as the compiler prints it; with --diff, what
// the match did.
#include <fmt/core.h>

#include "base/clean_text.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/records.h"
#include "cli/rewrites/pass_filter.h"
#include "rewrite/match_detail.h"

namespace vizd {
namespace {

struct TextArguments {
  CommonArguments common;
  PassFilter passes;
  std::uint32_t match = 0;
  bool diff = false;
};

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line;
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

void print_whole(std::string_view text, bool ends_line) {
  const std::string shown = many_lines(text, wants_colour(stdout));
  print_answer("{}{}", shown, ends_line && !shown.ends_with('\n') ? "\n" : "");
}

Result<void> print_pass(const Capture& capture, const PassRef& ref, const TextArguments& arguments, Records& records) {
  const auto history = build_history(capture, *ref.of, {});
  if (!history) return history.error();
  std::string text;
  std::string rule;
  if (arguments.diff) {
    const auto detail = match_detail(capture, *ref.of, *history, arguments.match);
    if (!detail) return detail.error();
    text = joined_lines(detail->diff);
    rule = location_text(capture, detail->match.rule);
  } else {
    auto graph = state_text(capture, *history, arguments.match);
    if (!graph) return graph.error();
    text = std::move(*graph);
  }
  if (arguments.common.json) {
    records.add({ref.context, ref.pass, arguments.match, rule, text});
  } else {
    if (arguments.diff) print_answer("{}\n", one_line(rule, false));
    print_whole(text, true);
  }
  return {};
}

}  // namespace

int run_text(int argc, const char* const* argv) {
  CommandLine line("vizd text", "Prints the graph of a pass after a match, as the compiler prints it.");
  TextArguments arguments;
  arguments.common.describe(line);
  arguments.passes.describe(line);
  line.option("--match N [0]", arguments.match, "After this many matches; 0 is the pass's input");
  line.flag("--diff", arguments.diff, "What this match changed, and the source location of its rule");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (arguments.diff && arguments.match == 0) return line.refuse("--diff needs --match, from 1");
  const auto input = open_input(arguments.common);
  if (!input) return kExitFailure;
  const std::vector<PassRef> passes = arguments.passes.select(input->capture);
  if (passes.empty()) return refuse_selection(line, arguments.passes);
  if (passes.size() > 1 && !arguments.common.json)
    return line.refuse(fmt::format("{} passes match; choose one with --context and --pass", passes.size()));
  Records records({"context", "pass", "match", "rule", "text"});
  for (const PassRef& ref : passes) {
    if (passes.size() > 1 && arguments.match > ref.of->match_count) continue;
    if (const auto printed = print_pass(input->capture, ref, arguments, records); !printed) {
      print_error("vizd text: {}\n", printed.error().text());
      return kExitFailure;
    }
  }
  if (arguments.common.json) records.print_json(stdout);
  return kExitOk;
}

}  // namespace vizd
