// vizd rules FILE: what each rule did in the whole capture; --undone, which rules take back what others did.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "analysis/recorded/recordable.h"
#include "base/ascii_case.h"
#include "base/parallel.h"
#include "base/standard_streams.h"
#include "cli/command_line/absence.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/progress.h"
#include "cli/command_line/row_ids.h"
#include "cli/rewrites/pass_filter.h"
#include "diagnosis/page_place.h"
#include "disasm/source_lines.h"
#include "rewrite/rule_table.h"

namespace vizd {
namespace {

struct RulesArguments {
  CommonArguments common;
  std::string rule;  // text that a rule's place or source line holds; empty: all
  bool matches = false;
  bool undone = false;
  bool no_sources = false;
};

std::int64_t signed_number(std::uint64_t number) { return static_cast<std::int64_t>(number); }

// A rule's place and source line.
class RuleTexts {
 public:
  RuleTexts(const Capture& capture, SourceLines& sources, const std::string& wanted)
      : capture_(capture), sources_(sources), wanted_(wanted) {}

  std::string place(LocationId rule) const { return location_text(capture_, rule); }
  Cell code(LocationId rule) const {
    const Location& at = capture_.rewrites.locations[index(rule)];
    const auto line = sources_.line(capture_, at);
    return line ? Cell(*line) : Cell();
  }
  bool is_wanted(LocationId rule) const {
    const Cell line = code(rule);
    const auto* text = std::get_if<std::string>(&line);
    return contains_in_any_case(place(rule), wanted_) || (text != nullptr && contains_in_any_case(*text, wanted_));
  }

 private:
  const Capture& capture_;
  SourceLines& sources_;
  const std::string& wanted_;
};

Records rule_records(const RuleTable& table, const RuleTexts& texts, const RowIds& ids) {
  Records records(
      {"matches", "added", "removed", "unchanged", "undone", "undoing", "passes", "contexts", "ms", "rule", "code"});
  for (const RuleRow& row : table.rows) {
    if (!texts.is_wanted(row.rule)) continue;
    records.add({row.matches, signed_number(row.added), signed_number(row.removed), row.unchanged, row.undone,
                 row.undoing, row.passes, row.contexts, table.is_timed ? Cell(row.dur_s * 1e3) : Cell(),
                 texts.place(row.rule), texts.code(row.rule)},
                ids.of("rule:" + texts.place(row.rule)));
  }
  return records;
}

Records undone_records(const Capture& capture, const RuleTable& table, const RuleTexts& texts, const RowIds& ids) {
  Records records({"count", "context", "pass", "from", "to", "undone", "by"});
  for (const UndonePair& pair : table.undone) {
    if (!texts.is_wanted(pair.undone) && !texts.is_wanted(pair.by)) continue;
    const Pass& pass = capture.rewrites.passes[pair.pass];
    const MatchPlace place = place_of_match(capture.rewrites, pass.first_match + pair.from);
    records.add(
        {pair.count, place.context, place.pass, pair.from, pair.to, texts.place(pair.undone), texts.place(pair.by)},
        ids.of(match_id(pass.first_match + pair.from)));
  }
  return records;
}

Records match_records(const Capture& capture, const RuleTable& table, const RuleTexts& texts, const RowIds& ids) {
  Records records({"context", "pass", "match", "added", "removed", "changed", "undone at", "before", "after", "rule"});
  std::vector<std::uint32_t> matches;
  for (const RuleRow& row : table.rows) {
    if (!texts.is_wanted(row.rule)) continue;
    const auto of_rule = table.matches_of(row.rule);
    matches.insert(matches.end(), of_rule.begin(), of_rule.end());
  }
  std::ranges::sort(matches);
  for (const std::uint32_t number : matches) {
    const Match& match = capture.rewrites.matches[number];
    const MatchEffect& did = table.effects[number];
    const MatchPlace place = place_of_match(capture.rewrites, number);
    const auto op_name = [&](OpId op) { return std::string(capture.dialect->kind_name(capture.ops.kind(op))); };
    records.add({place.context, place.pass, place.state, did.added, did.removed, did.changed ? 1 : 0,
                 did.undone_at == kNoId ? Cell() : Cell(std::int64_t{did.undone_at}), op_name(match.before),
                 op_name(match.after), texts.place(match.rule)},
                ids.of(match_id(number)));
  }
  return records;
}

}  // namespace

int run_rules(int argc, const char* const* argv) {
  CommandLine line("vizd rules", "Shows what each rule did in the whole capture, the most matches first.");
  RulesArguments arguments;
  arguments.common.describe(line);
  line.option("--rule TEXT", arguments.rule, "Only rules whose FILE:LINE or source line contains this text");
  const Argument matches = line.flag("--matches", arguments.matches, "List the rules' matches");
  line.flag("--undone", arguments.undone, "List which rules undo what others did, and where that happens first")
      .excludes(matches);
  line.flag("--no-sources", arguments.no_sources, "Read no source lines");
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto input = open_input(arguments.common);
  if (!input) return kExitFailure;
  const Capture& capture = input->capture;
  if (const auto lacking = if_not_recorded(capture, Recordable::kRewrites)) {
    print_absence(*lacking, input->set.name, arguments.common.json);
    return kExitOk;
  }
  std::optional<Progress> progress(std::in_place, stderr, "replaying");
  const auto tell = [&](std::uint32_t done, std::uint32_t of) { progress->tell(done, of); };
  const auto table = make_rule_table(capture, {.stop = {}, .progress = tell, .threads = core_count()});
  progress.reset();
  if (!table) {
    print_error("vizd rules: {}\n", table.error().text());
    return kExitFailure;
  }
  SourceLines sources({.enabled = !arguments.no_sources, .root = ""});
  const RuleTexts texts(capture, sources, arguments.rule);
  const RowIds ids(input->set);
  const Records records = arguments.undone    ? undone_records(capture, *table, texts, ids)
                          : arguments.matches ? match_records(capture, *table, texts, ids)
                                              : rule_records(*table, texts, ids);
  if (records.empty()) {
    const std::string none = arguments.undone         ? "no rule undoes what another did"
                             : arguments.rule.empty() ? "no rule matched"
                                                      : "no matched rule contains " + arguments.rule;
    print_absence({Nothing::kNone, none, ""}, input->set.name, arguments.common.json);
  } else {
    records.print(stdout, arguments.common.json);
  }
  return kExitOk;
}

}  // namespace vizd
