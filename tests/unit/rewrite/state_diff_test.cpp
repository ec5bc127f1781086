// Differences of two states: every node is in one list, pairs are of one kind, and the same means equal graphs.
#include "rewrite/state_diff.h"

#include <set>

#include "rewrite/biography.h"
#include "rewrite/history_index.h"
#include "support/catch.h"
#include "unit/rewrite/random_pass.h"

namespace vizd::state_diff_test {

namespace {

struct RandomHistory {
  toy::Builder b;
  History history;

  explicit RandomHistory(std::uint32_t seed) {
    toy::fill_with_random_pass(b, seed);
    auto made = build_history(b.capture, b.pass(), {});
    REQUIRE(made);
    history = std::move(*made);
  }
  std::set<NodeId> living(std::uint32_t state) const {
    std::set<NodeId> nodes;
    for (std::size_t n = 0; n < history.nodes.size(); ++n) {
      if (lives_at(history.nodes[n].born, history.nodes[n].died, state)) nodes.insert(to_id<NodeId>(n));
    }
    return nodes;
  }
};

// Each side's nodes, each once.
void check_lists(const StateDiff& diff, const std::set<NodeId>& from, const std::set<NodeId>& to) {
  std::multiset<NodeId> seen_from(diff.only_from.begin(), diff.only_from.end());
  std::multiset<NodeId> seen_to(diff.only_to.begin(), diff.only_to.end());
  for (const auto* pairs : {&diff.same, &diff.changed}) {
    for (const auto& [a, b] : *pairs) {
      seen_from.insert(a);
      seen_to.insert(b);
    }
  }
  CHECK(seen_from == std::multiset<NodeId>(from.begin(), from.end()));
  CHECK(seen_to == std::multiset<NodeId>(to.begin(), to.end()));
}

}  // namespace

TEST_CASE("two states of a pass: a node is there or not, and is the same where its op and what it reads are") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    const RandomHistory r(seed);
    const std::uint32_t last = r.history.state_count - 1;
    const StateDiff diff = diff_states(r.history, 0, last);
    check_lists(diff, r.living(0), r.living(last));
    for (const auto& [a, b] : diff.same) {
      CHECK(a == b);
      CHECK(version_at(r.history, a, 0).arg == version_at(r.history, b, last).arg);
    }
    const StateDiff none = diff_states(r.history, last, last);
    CHECK(none.changed.empty());
    CHECK(none.only_from.empty());
    CHECK(none.same.size() == r.living(last).size());
    // The other way round, what came goes.
    const StateDiff back = diff_states(r.history, last, 0);
    CHECK(back.only_from == diff.only_to);
    CHECK(back.changed.size() == diff.changed.size());
  }
}

TEST_CASE("states of two passes: the same are equal graphs, the changed of one kind, and every node is in one list") {
  std::size_t changed = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    const RandomHistory r(seed);
    const std::uint32_t last = r.history.state_count - 1;
    const StateDiff diff = diff_passes(r.b.capture, {r.history, 0}, {r.history, last});
    check_lists(diff, r.living(0), r.living(last));
    OpGraph graph(&r.b.capture.ops);
    std::vector<OpId> first, second;
    add_state(graph, r.history, 0, first);
    add_state(graph, r.history, last, second);
    for (const auto& [a, b] : diff.same) CHECK(first[index(a)] == second[index(b)]);
    for (const auto& [a, b] : diff.changed) {
      CHECK(first[index(a)] != second[index(b)]);
      CHECK(version_at(r.history, a, 0).kind == version_at(r.history, b, last).kind);
    }
    changed += diff.changed.size();
    const StateDiff none = diff_passes(r.b.capture, {r.history, last}, {r.history, last});
    CHECK(none.same.size() == r.living(last).size());
  }
  CHECK(changed > 100);
}

TEST_CASE("a biography says what a node was made from, what replaced it, and what it absorbed") {
  toy::Builder b;
  const OpId leaf = b.op(toy::kLeaf, {}, 1), one = b.op(toy::kView, {leaf}, 1), two = b.op(toy::kView, {leaf}, 2);
  b.pass().sink = b.op(toy::kSink, {b.op(toy::kAdd, {one, two})});
  b.match(two, one);  // two becomes equal to one
  const OpId mul = b.op(toy::kMul, {leaf, leaf});
  b.match(b.op(toy::kAdd, {one, one}), mul);
  const auto history = build_history(b.capture, b.pass(), {});
  REQUIRE(history);
  const auto node_of = [&](std::uint32_t state, OpId op) {
    const StateGraph at = graph_at(b.capture, *history, state);
    const auto found = std::ranges::find(at.op_of_node, op);
    REQUIRE(found != at.op_of_node.end());
    return to_id<NodeId>(static_cast<std::size_t>(found - at.op_of_node.begin()));
  };
  const NodeId kept = node_of(0, one), gone = node_of(0, two), made = node_of(2, mul);
  const Biography of_kept = biography_of(b.capture, b.pass(), *history, kept);
  CHECK(of_kept.absorbed == std::vector{gone});
  CHECK(of_kept.made_from == NodeId{kNoId});
  CHECK(biography_of(b.capture, b.pass(), *history, gone).replaced_by == kept);
  const HistoryNode& life = history->nodes[index(made)];
  const Biography of_made = biography_of(b.capture, b.pass(), *history, made);
  CHECK((life.born == 0) == (of_made.made_from == NodeId{kNoId}));
}

}  // namespace vizd::state_diff_test
