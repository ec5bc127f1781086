// context, pass, match, rule and program: what the compiler did.
#include <cmath>

#include "query/tables.h"

namespace vizd::sql {
namespace {

constexpr auto kNumber = ColumnType::kInteger;
constexpr auto kString = ColumnType::kText;

// The indexes by which the columns of these tables look things up.
struct RewriteColumns {
  Catalog& catalog;

  const Capture& capture(const Place& p) const { return catalog.capture(p.source); }
  const Rewrites& rewrites(const Place& p) const { return capture(p).rewrites; }
  const Context& context(const Place& p) const { return rewrites(p).contexts[p.at]; }
  const Pass& pass(const Place& p) const { return rewrites(p).passes[p.at]; }
  const Match& match(const Place& p) const { return rewrites(p).matches[p.at]; }
  const Program& program(const Place& p) const { return rewrites(p).programs[p.at]; }
  std::string_view string(const Place& p, StringId id) const { return capture(p).strings.get(id); }
  LocationId rule(const Place& p) const { return catalog.rules(p.source).locations[p.at]; }

  std::int64_t rule_id(std::size_t source, LocationId rule) const {
    std::uint64_t id = catalog.rules(source).number[index(rule)];
    for (std::size_t before = 0; before < source; ++before) id += catalog.rules(before).locations.size();
    return static_cast<std::int64_t>(id);
  }

  void write_location(const Place& p, LocationId at, Cell& cell) const {
    const Location& location = rewrites(p).locations[index(at)];
    const std::string_view file = string(p, location.file);
    cell.copied_text(std::string(file) + ":" + std::to_string(location.line));
  }

  void write_code(const Place& p, LocationId at, Cell& cell) const {
    const Location& location = rewrites(p).locations[index(at)];
    const auto& line = catalog.sources()[p.source].source_line;
    if (line) {
      const auto text = line(location);
      return text ? cell.copied_text(*text) : cell.null();
    }
    index(location.code) == kNoId ? cell.null() : cell.text(string(p, location.code));
  }

  void write_op(const Place& p, OpId op, Cell& cell) const {
    const Capture& of = capture(p);
    cell.copied_text(of.dialect->kind_name(of.ops.kind(op)));
  }

  // Writes the match's effect. The first call replays the capture.
  template <typename Write>
  void write_effect(const Place& p, Cell& cell, Write&& write) const {
    const auto table = catalog.rule_table(p.source);
    if (!table) return cell.error(table.error());
    write((*table)->effects[p.at]);
  }

  // The same of a rule's row.
  template <typename Write>
  void write_rule(const Place& p, Cell& cell, Write&& write) const {
    const auto table = catalog.rule_table(p.source);
    if (!table) return cell.error(table.error());
    const auto row = std::ranges::find((*table)->rows, rule(p), &RuleRow::rule);
    if (row == (*table)->rows.end()) return cell.null();
    write(**table, *row);
  }
};

std::unique_ptr<Table> context_table(Catalog& catalog) {
  const RewriteColumns r{catalog};
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "context",
          .about = "Traced scopes of the compiler: schedules and kernels.",
          .id_about = "The context's number",
          .count = [&catalog](std::size_t s) { return catalog.contexts().first(s + 1) - catalog.contexts().first(s); },
          .columns =
              {
                  {{"name", kString, "Its name, without colours"},
                   [r](const Place& p, Cell& cell) { cell.text(r.string(p, r.context(p).name)); }},
                  {{"pass_count", kNumber, "Its passes"},
                   [r](const Place& p, Cell& cell) { cell.integer(r.context(p).pass_count); }},
                  {{"match_count", kNumber, "The number of matches in all its passes"},
                   [r](const Place& p, Cell& cell) {
                     std::int64_t matches = 0;
                     for (const Pass& pass : r.rewrites(p).passes_of(r.context(p))) matches += pass.match_count;
                     cell.integer(matches);
                   }},
                  {{"program_id", kNumber, "program.id of the program that it made"},
                   [r](const Place& p, Cell& cell) {
                     write_id(r.catalog.programs(), p.source, static_cast<std::uint32_t>(r.context(p).program), cell);
                   }},
                  capture_id_column(),
              }},
      catalog.sources().size());
}

std::unique_ptr<Table> pass_table(Catalog& catalog) {
  const RewriteColumns r{catalog};
  const auto context_place = [r](const Place& p) {
    return r.catalog.context_of_pass(p.source, static_cast<std::uint32_t>(p.at));
  };
  const auto context_id = [=](const Place& p) { return global_id(r.catalog.contexts(), p.source, context_place(p)); };
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "pass",
          .about = "Rewrites of a graph, one after another in a context.",
          .id_about = "The pass's number",
          .count = [&catalog](std::size_t s) { return catalog.passes().first(s + 1) - catalog.passes().first(s); },
          .columns =
              {
                  {{"context_id", kNumber, "context.id"},
                   [=](const Place& p, Cell& cell) { cell.integer(context_id(p)); },
                   context_id},
                  {{"place", kNumber, "Its place in the context, from 0"},
                   [=](const Place& p, Cell& cell) {
                     cell.integer(static_cast<std::int64_t>(p.at) -
                                  r.rewrites(p).contexts[context_place(p)].first_pass);
                   }},
                  {{"name", kString, "Its name; null if the capture has none"},
                   [r](const Place& p, Cell& cell) { cell.text_or_null(r.string(p, r.pass(p).name)); }},
                  {{"depth", kNumber, "How many passes it runs inside of"},
                   [r](const Place& p, Cell& cell) { cell.integer(r.pass(p).depth); }},
                  {{"match_count", kNumber, "Its matches"},
                   [r](const Place& p, Cell& cell) { cell.integer(r.pass(p).match_count); }},
                  {{"location", kString, "FILE:LINE of the compiler's source that started it"},
                   [r](const Place& p, Cell& cell) { r.write_location(p, r.pass(p).location, cell); }},
                  capture_id_column(),
              }},
      catalog.sources().size());
}

std::unique_ptr<Table> match_table(Catalog& catalog) {
  const RewriteColumns r{catalog};
  const auto pass_place = [r](const Place& p) {
    return r.catalog.pass_of_match(p.source, static_cast<std::uint32_t>(p.at));
  };
  const auto pass_id = [=](const Place& p) { return global_id(r.catalog.passes(), p.source, pass_place(p)); };
  const auto context_id = [=](const Place& p) {
    return global_id(r.catalog.contexts(), p.source, r.catalog.context_of_pass(p.source, pass_place(p)));
  };
  return std::make_unique<RowTable>(
      RowTable::Description{.name = "match",
                            .about = "Applications of rules. What they changed is found by replaying the capture, once "
                                     "per query.",
                            .id_about = "The match's number",
                            .count =
                                [&catalog](std::size_t s) {
                                  return catalog.matches().first(s + 1) - catalog.matches().first(s);
                                },
                            .columns =
                                {
                                    {{"context_id", kNumber, "context.id"},
                                     [=](const Place& p, Cell& cell) { cell.integer(context_id(p)); },
                                     context_id},
                                    {{"pass_id", kNumber, "pass.id"},
                                     [=](const Place& p, Cell& cell) { cell.integer(pass_id(p)); },
                                     pass_id},
                                    {{"state", kNumber, "The state of the pass that it leads to, from 1"},
                                     [=](const Place& p, Cell& cell) {
                                       cell.integer(static_cast<std::int64_t>(p.at) + 1 -
                                                    r.rewrites(p).passes[pass_place(p)].first_match);
                                     }},
                                    {{"rule_id", kNumber, "rule.id"},
                                     [r](const Place& p, Cell& cell) {
                                       cell.integer(r.rule_id(p.source, r.match(p).rule));
                                     }},
                                    {{"rule", kString, "FILE:LINE of the rule"},
                                     [r](const Place& p, Cell& cell) { r.write_location(p, r.match(p).rule, cell); }},
                                    {{"before", kString, "The op that it was applied to"},
                                     [r](const Place& p, Cell& cell) { r.write_op(p, r.match(p).before, cell); }},
                                    {{"after", kString, "The op that replaced it"},
                                     [r](const Place& p, Cell& cell) { r.write_op(p, r.match(p).after, cell); }},
                                    {{"dur", kNumber,
                                      "How long it took, in nanoseconds; null if the capture has no times"},
                                     [r](const Place& p, Cell& cell) {
                                       const double dur_s = r.match(p).dur_s;
                                       dur_s < 0 ? cell.null() : cell.integer(std::llround(dur_s * 1e9));
                                     }},
                                    {{"added", kNumber, "Nodes that it added"},
                                     [r](const Place& p, Cell& cell) {
                                       r.write_effect(p, cell,
                                                      [&](const MatchEffect& did) { cell.integer(did.added); });
                                     }},
                                    {{"removed", kNumber, "Nodes that it removed"},
                                     [r](const Place& p, Cell& cell) {
                                       r.write_effect(p, cell,
                                                      [&](const MatchEffect& did) { cell.integer(did.removed); });
                                     }},
                                    {{"changed", kNumber, "0 if the graph is unchanged"},
                                     [r](const Place& p, Cell& cell) {
                                       r.write_effect(
                                           p, cell, [&](const MatchEffect& did) { cell.integer(did.changed ? 1 : 0); });
                                     }},
                                    {{"undone_at", kNumber, "The state that undid it; null if it was not undone"},
                                     [r](const Place& p, Cell& cell) {
                                       r.write_effect(p, cell, [&](const MatchEffect& did) {
                                         cell.integer_or_null(did.undone_at);
                                       });
                                     }},
                                }},
      catalog.sources().size());
}

// A column that a rule's row has as a number.
template <typename Value>
RowColumn rule_number(const RewriteColumns& r, std::string_view name, std::string_view about, Value value) {
  return {{name, kNumber, about}, [r, value](const Place& p, Cell& cell) {
            r.write_rule(p, cell, [&](const RuleTable&, const RuleRow& row) {
              cell.integer(static_cast<std::int64_t>(value(row)));
            });
          }};
}

std::unique_ptr<Table> rule_table(Catalog& catalog) {
  const RewriteColumns r{catalog};
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "rule",
          .about = "Rules that matched, identified by where in the compiler's source their pattern is.",
          .id_about = "The rule's number",
          .count = [&catalog](std::size_t s) { return std::uint64_t{catalog.rules(s).locations.size()}; },
          .columns =
              {
                  {{"name", kString, "FILE:LINE"},
                   [r](const Place& p, Cell& cell) { r.write_location(p, r.rule(p), cell); }},
                  {{"file", kString, "The compiler's source file"},
                   [r](const Place& p, Cell& cell) {
                     cell.text(r.string(p, r.rewrites(p).locations[index(r.rule(p))].file));
                   }},
                  {{"line", kNumber, "The line in it"},
                   [r](const Place& p, Cell& cell) { cell.integer(r.rewrites(p).locations[index(r.rule(p))].line); }},
                  {{"code", kString, "That line, if it is available"},
                   [r](const Place& p, Cell& cell) { r.write_code(p, r.rule(p), cell); }},
                  {{"matches", kNumber, "How often it matched"},
                   [r](const Place& p, Cell& cell) { cell.integer(r.catalog.rules(p.source).matches[p.at]); }},
                  rule_number(r, "added", "Nodes added", [](const RuleRow& row) { return row.added; }),
                  rule_number(r, "removed", "Nodes removed", [](const RuleRow& row) { return row.removed; }),
                  rule_number(r, "unchanged", "Matches after which the graph was the same as before",
                              [](const RuleRow& row) { return row.unchanged; }),
                  rule_number(r, "undone", "Matches that a later one undid",
                              [](const RuleRow& row) { return row.undone; }),
                  rule_number(r, "undoing", "Matches that undid an earlier one",
                              [](const RuleRow& row) { return row.undoing; }),
                  rule_number(r, "passes", "Passes in which it matched", [](const RuleRow& row) { return row.passes; }),
                  rule_number(r, "contexts", "Contexts in which it matched",
                              [](const RuleRow& row) { return row.contexts; }),
                  {{"dur", kNumber, "Time of its matches, in nanoseconds; null if the capture has no times"},
                   [r](const Place& p, Cell& cell) {
                     r.write_rule(p, cell, [&](const RuleTable& table, const RuleRow& row) {
                       table.is_timed ? cell.integer(std::llround(row.dur_s * 1e9)) : cell.null();
                     });
                   }},
                  capture_id_column(),
              }},
      catalog.sources().size());
}

std::unique_ptr<Table> program_table(Catalog& catalog) {
  const RewriteColumns r{catalog};
  return std::make_unique<RowTable>(
      RowTable::Description{
          .name = "program",
          .about = "Programs compiled for devices.",
          .id_about = "The program's number",
          .count = [&catalog](std::size_t s) { return catalog.programs().first(s + 1) - catalog.programs().first(s); },
          .columns =
              {
                  {{"name", kString, "Its name on the device"},
                   [r](const Place& p, Cell& cell) { cell.text(r.string(p, r.program(p).name)); }},
                  {{"device", kString, "The device that it is for"},
                   [r](const Place& p, Cell& cell) { cell.text_or_null(r.string(p, r.program(p).device)); }},
                  {{"source", kString, "Its source; null if the capture has none"},
                   [r](const Place& p, Cell& cell) { cell.text_or_null(r.string(p, r.program(p).source)); }},
                  {{"binary_size", kNumber, "Its machine code; null if the capture has none"},
                   [r](const Place& p, Cell& cell) {
                     const std::size_t size = r.string(p, r.program(p).binary).size();
                     size == 0 ? cell.null() : cell.integer(static_cast<std::int64_t>(size));
                   }},
                  {{"context_id", kNumber, "context.id of the one that made it"},
                   [r](const Place& p, Cell& cell) {
                     const auto& contexts = r.rewrites(p).contexts;
                     const auto made = std::ranges::find(contexts, to_id<ProgramId>(p.at), &Context::program);
                     if (made == contexts.end()) return cell.null();
                     cell.integer(global_id(r.catalog.contexts(), p.source,
                                            static_cast<std::uint64_t>(made - contexts.begin())));
                   }},
                  capture_id_column(),
              }},
      catalog.sources().size());
}

}  // namespace

void add_rewrite_tables(TableList& tables, Catalog& catalog) {
  tables.push_back(context_table(catalog));
  tables.push_back(pass_table(catalog));
  tables.push_back(match_table(catalog));
  tables.push_back(rule_table(catalog));
  tables.push_back(program_table(catalog));
}

}  // namespace vizd::sql
