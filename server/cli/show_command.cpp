// vizd show FILE: the contexts and their steps; with --step, the matches of those steps; with --query, the nodes that
// the query finds in them.
#include <fmt/core.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/records.h"
#include "cli/step_filter.h"
#include "rewrite/history.h"
#include "rewrite/query.h"

namespace vizd {
namespace {

struct Arguments {
  CommonArguments common;
  StepFilter steps;
  std::string query;
  std::uint32_t match = 0;
};

std::string name_of(const Capture& capture, const StepRef& ref) {
  return std::string(capture.strings.get(capture.rewrites.contexts[ref.context].name));
}

Records step_records(const Capture& capture, const std::vector<StepRef>& steps) {
  Records records({"context", "step", "matches", "name", "pass", "location"});
  for (const StepRef& ref : steps) {
    const std::string pass(ref.of->depth * std::size_t{2}, ' ');
    records.add({ref.context, ref.step, ref.of->match_count, name_of(capture, ref),
                 pass + std::string(capture.strings.get(ref.of->name)), location_text(capture, ref.of->location)});
  }
  return records;
}

struct Effect {
  std::int64_t added = 0;
  std::int64_t removed = 0;
};

// By state.
std::vector<Effect> effects_of(const History& history) {
  std::vector<Effect> effects(history.state_count);
  for (const HistoryNode& node : history.nodes) {
    ++effects[node.born].added;
    if (node.died < history.state_count) ++effects[node.died].removed;
  }
  return effects;
}

Result<Records> match_records(const Capture& capture, const std::vector<StepRef>& steps) {
  Records records({"context", "step", "match", "added", "removed", "before", "after", "rule"});
  for (const StepRef& ref : steps) {
    const auto history = build_history(capture, *ref.of, {});
    if (!history) return history.error();
    const std::vector<Effect> effects = effects_of(*history);
    const auto matches = capture.rewrites.matches_of(*ref.of);
    for (std::size_t i = 0; i < matches.size(); ++i) {
      const auto op_name = [&](OpId op) { return std::string(capture.dialect->kind_name(capture.ops.kind(op))); };
      records.add({ref.context, ref.step, static_cast<std::int64_t>(i + 1), effects[i + 1].added,
                   effects[i + 1].removed, op_name(matches[i].before), op_name(matches[i].after),
                   location_text(capture, matches[i].rule)});
    }
  }
  return records;
}

// Steps that have no such match are left out.
Result<Records> node_records(const Capture& capture, const std::vector<StepRef>& steps, const Query& query,
                             std::uint32_t match) {
  Records records({"context", "step", "match", "node", "born", "op", "dtype", "label"});
  for (const StepRef& ref : steps) {
    if (match > ref.of->match_count) continue;
    const auto history = build_history(capture, *ref.of, {});
    if (!history) return history.error();
    const HistoryIndex index_of(*history);
    QueryScan scan(capture, *ref.of, *history, index_of, query);
    for (const NodeId node : scan.matches_at(match)) {
      const NodeVersion& version = version_at(*history, node, match);
      records.add({ref.context, ref.step, match, static_cast<std::int64_t>(index(node)),
                   history->nodes[index(node)].born, std::string(capture.dialect->kind_name(version.kind)),
                   capture.dialect->value_text(version.dtype), history->labels[version.label]});
    }
  }
  return records;
}

Result<Records> answer(const Capture& capture, const std::vector<StepRef>& steps, const Arguments& arguments) {
  if (arguments.query.empty())
    return arguments.steps.step.empty() ? step_records(capture, steps) : match_records(capture, steps);
  const auto query = Query::parse(arguments.query);
  if (!query) return query.error();
  return node_records(capture, steps, *query, arguments.match);
}

}  // namespace

int run_show(int argc, const char* const* argv) {
  CLI::App app(
      "Lists contexts and their steps; with --step the matches of those steps, with --query the nodes of them.",
      "vizd show");
  Arguments arguments;
  arguments.common.describe(app);
  arguments.steps.describe(app);
  app.add_option("--query", arguments.query, "The nodes it finds, as in 'op=LOAD fanout>8'")->option_text("QUERY");
  app.add_option("--match", arguments.match, "Look at the graph after so many matches; 0 is a step's input")
      ->option_text("N [0]");
  if (const auto code = parse_arguments(app, argc, argv)) return *code;
  const auto input = open_input(arguments.common);
  if (!input) return kExitFailure;
  const std::vector<StepRef> steps = arguments.steps.select(input->capture);
  if (steps.empty()) return refuse_selection(app, arguments.steps);
  const auto records = answer(input->capture, steps, arguments);
  if (!records) {
    fmt::print(stderr, "vizd show: {}\n", records.error().text());
    return records.error().kind == ErrorKind::kBadInput ? kExitUsage : kExitFailure;
  }
  records->print(stdout, arguments.common.json);
  return kExitOk;
}

}  // namespace vizd
