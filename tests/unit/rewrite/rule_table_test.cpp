// What matches did, told from the lives of nodes and edges, against the states themselves; and the table of rules.
#include "rewrite/rule_table.h"

#include <map>

#include "support/catch.h"
#include "unit/rewrite/random_pass.h"

namespace vizd::rule_table_test {

namespace {

History history_of(const toy::Builder& b, bool labels) {
  auto history = build_history(b.capture, b.capture.rewrites.passes[0], {.stop = {}, .progress = {}, .labels = labels});
  REQUIRE(history);
  return std::move(*history);
}

// By state: the root in one hash-consed graph.
std::vector<OpId> roots_of(const toy::Builder& b, const History& history) {
  OpGraph graph(&b.capture.ops);
  std::vector<OpId> roots;
  std::vector<OpId> op_of_node;
  for (std::uint32_t state = 0; state < history.state_count; ++state)
    roots.push_back(add_state(graph, history, state, op_of_node));
  return roots;
}

}  // namespace

TEST_CASE("a match changed something exactly where its graph is another, and is undone exactly where one comes back") {
  std::size_t unchanged = 0, undone = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    toy::Builder b;
    toy::fill_with_random_pass(b, seed);
    for (const bool labels : {true, false}) {
      const History history = history_of(b, labels);
      const std::vector<OpId> roots = roots_of(b, history);
      const auto effects = match_effects(history);
      REQUIRE(effects.size() == history.state_count - 1);
      for (std::uint32_t state = 1; state < history.state_count; ++state) {
        const MatchEffect& effect = effects[state - 1];
        CHECK(effect.changed == (roots[state] != roots[state - 1]));
        unchanged += !effect.changed;
        if (effect.undone_at == kNoId) continue;
        ++undone;
        CHECK(effect.changed);
        CHECK(effect.undone_at > state);
        CHECK(roots[effect.undone_at] == roots[state - 1]);
      }
      // Nothing that comes back goes unnoticed.
      std::map<OpId, std::uint32_t> last;
      for (std::uint32_t state = 0; state < history.state_count; ++state) {
        const auto [found, added] = last.try_emplace(roots[state], state);
        const std::uint32_t earlier = std::exchange(found->second, state);
        if (added || earlier + 1 == state) continue;
        CHECK(std::ranges::any_of(effects, [&](const MatchEffect& e) { return e.undone_at == state; }));
      }
    }
  }
  CHECK(unchanged > 100);
  CHECK(undone > 20);
}

TEST_CASE("the table counts a rule's matches, and says which rule undid which and where first") {
  toy::Builder b;
  const OpId leaf = b.op(toy::kLeaf, {}, 1), other = b.op(toy::kLeaf, {}, 2);
  b.capture.rewrites.locations.push_back({b.capture.strings.add("other.py"), 9});
  b.pass().sink = b.op(toy::kSink, {b.op(toy::kView, {leaf})});
  b.match(leaf, leaf);   // changes nothing
  b.match(leaf, other);  // rules.py:7
  b.match(other, leaf);  // other.py:9 takes it back
  b.pass().restarts_from_sink = false;
  b.capture.rewrites.matches[2].rule = LocationId{1};
  b.capture.rewrites.matches[1].dur_s = 0.5F;
  const auto table = make_rule_table(b.capture, {});
  REQUIRE(table);
  REQUIRE(table->rows.size() == 2);
  const RuleRow& row = table->rows[0];
  CHECK(row.rule == LocationId{0});
  CHECK(row.matches == 2);
  CHECK(row.passes == 1);
  CHECK(row.contexts == 1);
  CHECK(row.unchanged >= 1);
  CHECK(row.dur_s == 0.5);
  CHECK(table->is_timed);
  CHECK(table->matches_of(LocationId{0}).size() == 2);
  CHECK(table->matches_of(LocationId{1})[0] == 2);
  // A loop of replacements is an error of the pass, which has no graph to come back; without one the pair is told.
  for (const UndonePair& pair : table->undone) {
    CHECK(pair.undone == LocationId{0});
    CHECK(pair.by == LocationId{1});
    CHECK(pair.from < pair.to);
  }
}

TEST_CASE("a match of the capture is found in its context and pass, past empty ones") {
  Rewrites rewrites;
  rewrites.contexts = {
      {.first_pass = 0, .pass_count = 2}, {.first_pass = 2, .pass_count = 0}, {.first_pass = 2, .pass_count = 2}};
  for (const auto& [first, count] : {std::pair{0U, 0U}, {0U, 3U}, {3U, 0U}, {3U, 2U}}) {
    Pass pass;
    pass.first_match = first;
    pass.match_count = count;
    rewrites.passes.push_back(pass);
  }
  const auto place = [&](std::uint32_t match) {
    const MatchPlace p = place_of_match(rewrites, match);
    return std::vector{p.context, p.pass, p.state};
  };
  CHECK(place(0) == std::vector{0U, 1U, 1U});
  CHECK(place(2) == std::vector{0U, 1U, 3U});
  CHECK(place(3) == std::vector{2U, 1U, 1U});
  CHECK(place(4) == std::vector{2U, 1U, 2U});
}

// Many passes in one capture.
void fill_with_passes(toy::Builder& b, std::uint32_t count) {
  toy::fill_with_random_pass(b, 1);
  Rewrites& rewrites = b.capture.rewrites;
  rewrites.locations.push_back({b.capture.strings.add("other.py"), 9});
  const Pass first = rewrites.passes[0];
  const std::vector<Match> matches(rewrites.matches);
  for (std::uint32_t i = 1; i < count; ++i) {
    rewrites.passes.push_back(first);
    rewrites.passes.back().first_match = static_cast<std::uint32_t>(rewrites.matches.size());
    for (Match match : matches) {
      match.rule = LocationId{i % 2};
      rewrites.matches.push_back(match);
    }
  }
  rewrites.contexts[0].pass_count = count;
}

std::vector<std::vector<std::uint64_t>> figures_of(const RuleTable& table) {
  std::vector<std::vector<std::uint64_t>> figures;
  for (const RuleRow& row : table.rows)
    figures.push_back({index(row.rule), row.matches, row.added, row.removed, row.unchanged, row.undone, row.undoing,
                       row.passes, row.contexts});
  return figures;
}

TEST_CASE("the table is the same on many threads, and tells on the way what the passes say that are done") {
  toy::Builder b;
  fill_with_passes(b, 300);
  const auto alone = make_rule_table(b.capture, {.stop = {}, .progress = {}});
  REQUIRE(alone);
  std::vector<std::shared_ptr<const RuleTable>> told;
  const auto tell = [&](std::shared_ptr<const RuleTable> so_far) { told.push_back(std::move(so_far)); };
  const auto together = make_rule_table(b.capture, {.stop = {}, .progress = {}, .threads = 4, .so_far = tell});
  REQUIRE(together);
  CHECK(figures_of(*together) == figures_of(*alone));
  CHECK(together->by_rule == alone->by_rule);
  // The first at once, with the pass that was done first.
  REQUIRE_FALSE(told.empty());
  REQUIRE(told[0]->rows.size() == 1);
  CHECK(told[0]->rows[0].passes == 1);
  CHECK(told[0]->rows[0].contexts == 1);
  CHECK(told[0]->rows[0].matches == b.capture.rewrites.passes[0].match_count);
  CHECK(told[0]->effects.empty());
}

TEST_CASE("a table is made of effects that are known") {
  toy::Builder b;
  fill_with_passes(b, 7);
  const auto made = make_rule_table(b.capture, {.stop = {}, .progress = {}});
  REQUIRE(made);
  const RuleTable again = rule_table_of(b.capture.rewrites, made->effects);
  CHECK(figures_of(again) == figures_of(*made));
  CHECK(again.by_rule == made->by_rule);
  CHECK(again.undone.size() == made->undone.size());
}

TEST_CASE("the table is given up when it is told to") {
  toy::Builder b;
  toy::fill_with_random_pass(b, 3);
  std::stop_source stop;
  stop.request_stop();
  const auto table = make_rule_table(b.capture, {.stop = stop.get_token(), .progress = {}});
  REQUIRE_FALSE(table);
  CHECK(table.error().kind == ErrorKind::kBusy);
}

}  // namespace vizd::rule_table_test
