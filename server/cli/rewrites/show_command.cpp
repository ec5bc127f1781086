// vizd show FILE: the contexts and their passes; with --pass, the matches of those passes; with --query, the nodes that
// the query finds in them.
#include <fmt/core.h>

#include "analysis/recorded/recordable.h"
#include "base/standard_streams.h"
#include "cli/command_line/absence.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/row_ids.h"
#include "cli/rewrites/pass_filter.h"
#include "diagnosis/page_place.h"
#include "rewrite/history.h"
#include "rewrite/query.h"

namespace vizd {
namespace {

struct ShowArguments {
  CommonArguments common;
  PassFilter passes;
  std::string query;
  std::uint32_t match = 0;
};

std::string name_of_pass(const Capture& capture, const PassRef& ref) {
  return std::string(capture.strings.get(capture.rewrites.contexts[ref.context].name));
}

Records shown_passes(const Capture& capture, const std::vector<PassRef>& passes, const RowIds& ids) {
  Records records({"context", "pass", "matches", "name", "pass_name", "location"});
  for (const PassRef& ref : passes) {
    const std::string indent(ref.of->depth * std::size_t{2}, ' ');
    records.add({ref.context, ref.pass, ref.of->match_count, name_of_pass(capture, ref),
                 indent + std::string(capture.strings.get(ref.of->name)), location_text(capture, ref.of->location)},
                ids.of(pass_id(static_cast<std::uint32_t>(ref.of - capture.rewrites.passes.data()))));
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

Result<Records> shown_matches(const Capture& capture, const std::vector<PassRef>& passes, const RowIds& ids) {
  Records records({"context", "pass", "match", "added", "removed", "before", "after", "rule"});
  for (const PassRef& ref : passes) {
    const auto history = build_history(capture, *ref.of, {});
    if (!history) return history.error();
    const std::vector<Effect> effects = effects_of(*history);
    const auto matches = capture.rewrites.matches_of(*ref.of);
    for (std::size_t i = 0; i < matches.size(); ++i) {
      const auto op_name = [&](OpId op) { return std::string(capture.dialect->kind_name(capture.ops.kind(op))); };
      records.add(
          {ref.context, ref.pass, static_cast<std::int64_t>(i + 1), effects[i + 1].added, effects[i + 1].removed,
           op_name(matches[i].before), op_name(matches[i].after), location_text(capture, matches[i].rule)},
          ids.of(match_id(ref.of->first_match + static_cast<std::uint32_t>(i))));
    }
  }
  return records;
}

// Passes that have no such match are left out.
Result<Records> node_records(const Capture& capture, const std::vector<PassRef>& passes, const Query& query,
                             std::uint32_t match, const RowIds& ids) {
  Records records({"context", "pass", "match", "node", "born", "op", "dtype", "label"});
  for (const PassRef& ref : passes) {
    if (match > ref.of->match_count) continue;
    const auto history = build_history(capture, *ref.of, {});
    if (!history) return history.error();
    const HistoryIndex index_of(*history);
    QueryScan scan(capture, *ref.of, *history, index_of, query);
    for (const NodeId node : scan.matches_at(match)) {
      const NodeVersion& version = version_at(*history, node, match);
      records.add(
          {ref.context, ref.pass, match, static_cast<std::int64_t>(index(node)), history->nodes[index(node)].born,
           std::string(capture.dialect->kind_name(version.kind)), capture.dialect->value_text(version.dtype),
           history->labels[version.label]},
          ids.of_wanted(match == 0 ? pass_id(static_cast<std::uint32_t>(ref.of - capture.rewrites.passes.data()))
                                   : match_id(ref.of->first_match + match - 1)));
    }
  }
  return records;
}

Result<Records> shown_records(const Capture& capture, const std::vector<PassRef>& passes,
                              const ShowArguments& arguments, const RowIds& ids) {
  if (arguments.query.empty())
    return arguments.passes.pass.empty() ? shown_passes(capture, passes, ids) : shown_matches(capture, passes, ids);
  const auto query = Query::parse(arguments.query);
  if (!query) return query.error();
  return node_records(capture, passes, *query, arguments.match, ids);
}

}  // namespace

int run_show(int argc, const char* const* argv) {
  CommandLine line(
      "vizd show",
      "Lists contexts and their passes; with --pass the matches of those passes, with --query the nodes of them.");
  ShowArguments arguments;
  arguments.common.describe(line);
  arguments.passes.describe(line);
  line.option("--query QUERY", arguments.query, "The nodes to find, such as 'op=LOAD fanout>8'");
  line.option("--match N [0]", arguments.match, "The graph after this many matches; 0 is a pass's input");
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto input = open_input(arguments.common);
  if (!input) return kExitFailure;
  if (const auto lacking = if_not_recorded(input->capture, Recordable::kRewrites)) {
    print_error("vizd show: {}\n", lacking->text());
    return kExitFailure;
  }
  const std::vector<PassRef> passes = arguments.passes.select(input->capture);
  if (passes.empty()) return refuse_selection(line, arguments.passes);
  const auto records = shown_records(input->capture, passes, arguments, RowIds(input->set));
  if (!records) {
    print_error("vizd show: {}\n", records.error().text());
    return records.error().kind == ErrorKind::kBadInput ? kExitUsage : kExitFailure;
  }
  if (records->empty())
    print_absence({Nothing::kNone, "nothing there matches", ""}, input->set.name, arguments.common.json);
  else
    records->print(stdout, arguments.common.json);
  return kExitOk;
}

}  // namespace vizd
