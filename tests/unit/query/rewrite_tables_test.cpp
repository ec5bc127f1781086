// What queries say of rewrites, held against the capture and what else vizd says of it.
#include <fmt/format.h>

#include "query/examples.h"
#include "session/loaded_capture.h"
#include "support/catch.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "unit/query/asked.h"

namespace vizd::sql::rewrite_tables_test {
namespace {

std::unique_ptr<LoadedCapture> ramp() {
  const std::string folder = test_data("tinygrad-2026-08/");
  Reading reading = load(named_sets({folder + "ramp.rewrites.pkl", folder + "ramp.profile.pkl"})[0]);
  REQUIRE(reading.loaded);
  return std::move(reading.loaded);
}

Source source_of(const LoadedCapture& loaded) {
  return {.capture = &loaded.capture, .timeline = &loaded.timeline, .name = "ramp"};
}

TEST_CASE("contexts, passes and matches are those of the capture, and belong together") {
  const auto loaded = ramp();
  const auto ask = [&](std::string_view query) { return Asked({source_of(*loaded)}, query).text(); };
  const Rewrites& rewrites = loaded->capture.rewrites;
  CHECK(ask("SELECT (SELECT count(*) FROM context), (SELECT count(*) FROM pass), (SELECT count(*) FROM match), "
            "(SELECT count(*) FROM program)") == fmt::format("{} {} {} {}\n", rewrites.contexts.size(),
                                                             rewrites.passes.size(), rewrites.matches.size(),
                                                             rewrites.programs.size()));
  // By joining as by counting.
  CHECK(ask("SELECT count(*) FROM context c WHERE match_count <> (SELECT count(*) FROM match m WHERE m.context_id = "
            "c.id)") == "0\n");
  CHECK(ask("SELECT count(*) FROM pass p WHERE match_count <> (SELECT count(*) FROM match m WHERE m.pass_id = p.id)") ==
        "0\n");
  CHECK(
      ask("SELECT count(*) FROM pass p WHERE match_count <> (SELECT count(*) FROM match m WHERE +m.pass_id = p.id)") ==
      "0\n");
  CHECK(ask("SELECT count(*) FROM match m JOIN pass p ON p.id = m.pass_id WHERE p.context_id <> m.context_id OR "
            "m.state < 1 "
            "OR m.state > p.match_count") == "0\n");
  CHECK(ask("SELECT count(*) FROM slice WHERE context_id IS NOT NULL") != "0\n");
}

TEST_CASE("rules and effects of matches are those that the table of rules has") {
  const auto loaded = ramp();
  const auto table = make_rule_table(loaded->capture, {});
  REQUIRE(table);
  const Asked rules({source_of(*loaded)},
                    "SELECT matches, added, removed, unchanged, undone, passes, contexts FROM rule "
                    "ORDER BY matches DESC, added DESC, removed DESC, unchanged DESC, passes DESC");
  CHECK(rules.rows.size() == table->rows.size());
  std::vector<std::vector<std::string>> expected;
  for (const RuleRow& row : table->rows) {
    std::vector<std::string>& texts = expected.emplace_back();
    for (const std::uint64_t number :
         {std::uint64_t{row.matches}, row.added, row.removed, std::uint64_t{row.unchanged}, std::uint64_t{row.undone},
          std::uint64_t{row.passes}, std::uint64_t{row.contexts}})
      texts.push_back(std::to_string(number));
  }
  auto found = rules.rows;
  std::ranges::sort(found);
  std::ranges::sort(expected);
  CHECK(found == expected);
  CHECK(Asked({source_of(*loaded)},
              "SELECT count(*) FROM rule r WHERE matches <> (SELECT count(*) FROM match m WHERE "
              "m.rule_id = r.id AND m.rule = r.name)")
            .text() == "0\n");
  CHECK(Asked({source_of(*loaded)}, "SELECT (SELECT sum(added) FROM match) = (SELECT sum(added) FROM rule)").text() ==
        "1\n");
}

TEST_CASE("nodes are those of the passes' histories") {
  const auto loaded = ramp();
  const Rewrites& rewrites = loaded->capture.rewrites;
  const auto most = static_cast<std::size_t>(std::ranges::max_element(rewrites.passes, {}, &Pass::match_count) -
                                             rewrites.passes.begin());
  const auto history = build_history(loaded->capture, rewrites.passes[most], {});
  REQUIRE(history);
  const auto dead = std::ranges::count_if(history->nodes, [](const HistoryNode& n) { return n.died != kForever; });
  CHECK(Asked({source_of(*loaded)},
              fmt::format(
                  "SELECT count(*), count(died), min(born), min(id >> 32), max(id >> 32) FROM node WHERE pass_id = {}",
                  most))
            .text() == fmt::format("{} {} 0 {} {}\n", history->nodes.size(), dead, most, most));
  CHECK(Asked({source_of(*loaded)}, fmt::format("SELECT place, label FROM node WHERE id = {}", (most << 32) + 1))
            .text() ==
        fmt::format("1 {}\n", shown_text(history->labels[history->versions[history->nodes[1].first_version].label])));
}

TEST_CASE("every example runs") {
  const auto loaded = ramp();
  CHECK(examples().size() == 21);
  for (const Example& example : examples()) {
    INFO(example.question);
    const Asked asked({source_of(*loaded)}, example.query);
    if (asked.error) WARN(asked.error->text());
    CHECK_FALSE(asked.error);
    CHECK(!asked.columns.empty());
  }
}

}  // namespace
}  // namespace vizd::sql::rewrite_tables_test
