#include "rewrite/history.h"

#include <map>
#include <set>

#include "rewrite/history_index.h"
#include "support/catch.h"
#include "unit/rewrite/plain_replay.h"
#include "unit/rewrite/random_pass.h"
#include "unit/rewrite/toy_capture.h"

namespace vizd::history_test {
namespace {

using toy::Builder;
using toy::kAdd;
using toy::kConst;
using toy::kLeaf;
using toy::kMul;
using toy::kSink;
using toy::kView;
using toy::PlainReplay;

History history_of(const Builder& b) {
  auto history = build_history(b.capture, b.capture.rewrites.passes[0], {});
  REQUIRE(history.has_value());
  return std::move(*history);
}

void check_order_and_lives(const History& history) {
  for (const HistoryNode& node : history.nodes) {
    REQUIRE(node.born < node.died);
    REQUIRE((node.died == kForever || node.died < history.state_count));
    REQUIRE(node.version_count > 0);
    REQUIRE(history.versions[node.first_version].state == node.born);
    for (std::uint32_t i = 1; i < node.version_count; ++i) {
      const std::uint32_t at = node.first_version + i;
      REQUIRE(history.versions[at - 1].state < history.versions[at].state);
      REQUIRE(history.versions[at].state < node.died);
    }
    if (node.merged_into != NodeId{kNoId}) {
      const HistoryNode& into = history.nodes[index(node.merged_into)];
      REQUIRE(lives_at(into.born, into.died, node.died));
    }
  }
  for (std::size_t i = 0; i < history.edges.size(); ++i) {
    const HistoryEdge& edge = history.edges[i];
    REQUIRE(edge.born < edge.died);
    for (const NodeId end : {edge.source, edge.user}) {
      const HistoryNode& node = history.nodes[index(end)];
      REQUIRE(node.born <= edge.born);
      REQUIRE(edge.died <= node.died);
    }
    if (i == 0) continue;
    const HistoryEdge& last = history.edges[i - 1];
    REQUIRE(std::tuple(last.user, last.port, last.born) < std::tuple(edge.user, edge.port, edge.born));
    if (last.user == edge.user && last.port == edge.port) REQUIRE(last.died <= edge.born);
  }
}

// The reference's excluded set, from the whole graph (serve.py uop_to_json).
std::set<OpId> excluded(const OpGraph& graph, OpId root) {
  std::map<OpId, std::vector<OpId>> users;
  const std::vector<OpId> ops = toposort(graph, root);
  for (const OpId id : ops) {
    for (const OpId source : graph.src(id)) users[source].push_back(id);
  }
  std::set<OpId> result;
  for (const OpId id : ops) {
    if (graph.kind(id) == kConst && id != root) result.insert(id);
    for (const OpId source : graph.kind(id) == kConst ? graph.src(id) : std::span<const OpId>()) {
      if (std::ranges::all_of(users[source], [&](OpId u) { return graph.kind(u) == kConst; })) result.insert(source);
    }
  }
  return result;
}

// One state as the history tells it, against the graph itself asked afresh.
void check_state(const Capture& capture, const History& history, std::uint32_t state, PlainReplay& plain) {
  const StateGraph at = graph_at(capture, history, state);
  REQUIRE(plain.import(*at.graph, at.root) == plain.state());
  const auto analysis = capture.dialect->analyse(*at.graph);
  const std::set<OpId> hidden = excluded(*at.graph, at.root);
  std::set<OpId> seen;
  for (std::size_t i = 0; i < history.nodes.size(); ++i) {
    const OpId op = at.op_of_node[i];
    REQUIRE((op != OpId{kNoId}) == lives_at(history.nodes[i].born, history.nodes[i].died, state));
    if (op == OpId{kNoId}) continue;
    REQUIRE(seen.insert(op).second);  // no two nodes are one op
    const NodeVersion& version = version_at(history, to_id<NodeId>(i), state);
    REQUIRE(history.labels[version.label] == analysis->label_text(analysis->label(op)));
    REQUIRE(version.inlined == hidden.contains(op));
    REQUIRE(version.ref == analysis->ref(op).value_or(ContextId{kNoId}));
  }
  REQUIRE(seen.size() == toposort(*at.graph, at.root).size());
}

void check_history(const Capture& capture) {
  const Pass& pass = capture.rewrites.passes[0];
  auto history = build_history(capture, pass, {});
  REQUIRE(history.has_value());
  REQUIRE(history->state_count == pass.match_count + 1);
  check_order_and_lives(*history);
  PlainReplay plain(capture, pass.restarts_from_sink, pass.sink);
  std::map<std::uint32_t, std::string> errors(history->errors.begin(), history->errors.end());
  check_state(capture, *history, 0, plain);
  for (std::uint32_t state = 1; state <= pass.match_count; ++state) {
    INFO("state " << state);
    const Match& match = capture.rewrites.matches_of(pass)[state - 1];
    plain.match(match.before, match.after);
    check_state(capture, *history, state, plain);
    REQUIRE((errors.contains(state) ? errors[state] : "") == plain.error());
  }
}

TEST_CASE("histories of random passes hold every state") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    Builder b;
    toy::fill_with_random_pass(b, seed);
    check_history(b.capture);
  }
}

TEST_CASE("ancestors of what is replaced stay the same nodes") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), c = b.op(kLeaf, {}, 2), d = b.op(kLeaf, {}, 3);
  const OpId sum = b.op(kAdd, {a, c});
  b.pass().sink = b.op(kSink, {b.op(kMul, {sum, sum})});
  b.match(sum, b.op(kAdd, {a, d}));
  b.pass().restarts_from_sink = GENERATE(false, true);
  const History history = history_of(b);
  // The sum is the same node with another source; the leaf it read has become the leaf that it reads.
  CHECK(history.nodes.size() == 5);
  for (const HistoryNode& node : history.nodes) CHECK(node.died == kForever);
  for (const HistoryEdge& edge : history.edges) CHECK(edge.died == kForever);
  // The labels of the leaf, the sum and all above it show the weight below.
  CHECK(history.versions.size() == 5 + 4);
  check_history(b.capture);
}

TEST_CASE("an op that gives way to its own source dies into it") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), zero = b.op(kConst, {}, 0);
  const OpId sum = b.op(kAdd, {a, zero});
  b.pass().sink = b.op(kSink, {b.op(kMul, {sum})});
  b.match(sum, a);
  b.pass().restarts_from_sink = GENERATE(false, true);
  const History history = history_of(b);
  const StateGraph first = graph_at(b.capture, history, 0);
  for (std::size_t i = 0; i < history.nodes.size(); ++i) {
    const HistoryNode& node = history.nodes[i];
    const OpId op = first.op_of_node[i];
    CHECK(node.died == (op == sum || op == zero ? 1 : kForever));
    if (op == sum) CHECK(first.op_of_node[index(node.merged_into)] == a);
    if (op == zero) CHECK(node.merged_into == NodeId{kNoId});
  }
  check_history(b.capture);
}

TEST_CASE("an op of another kind in an op's place is the same node with another look") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), c = b.op(kLeaf, {}, 2);
  const OpId sum = b.op(kAdd, {a, c});
  b.pass().sink = b.op(kSink, {sum});
  b.match(sum, b.op(kMul, {a, c, a}));
  b.pass().restarts_from_sink = GENERATE(false, true);
  const History history = history_of(b);
  CHECK(history.nodes.size() == 4);
  CHECK(history.edges.size() == 4);
  check_history(b.capture);
}

TEST_CASE("what only constants read is inlined with them, until something else reads it") {
  Builder b;
  const OpId leaf = b.op(kLeaf, {}, 1), view = b.op(kView, {leaf});
  const OpId constant = b.op(kConst, {view}, 5), sum = b.op(kAdd, {leaf, constant});
  b.pass().sink = b.op(kSink, {sum});
  b.match(leaf, leaf);
  b.match(sum, b.op(kAdd, {view, constant}));
  b.pass().restarts_from_sink = GENERATE(false, true);
  const History history = history_of(b);
  const StateGraph first = graph_at(b.capture, history, 0);
  for (std::size_t i = 0; i < history.nodes.size(); ++i) {
    if (first.op_of_node[i] != view) continue;
    CHECK(version_at(history, to_id<NodeId>(i), 1).inlined);
    CHECK_FALSE(version_at(history, to_id<NodeId>(i), 2).inlined);
  }
  check_history(b.capture);
}

TEST_CASE("a replay reports its progress and can be stopped") {
  Builder b;
  OpId op = b.op(kLeaf, {}, 0);
  b.pass().sink = b.op(kSink, {op});
  for (int i = 1; i <= 200; ++i) {
    const OpId next = b.op(kLeaf, {}, i);
    b.match(op, next);
    op = next;
  }
  std::vector<std::uint32_t> done;
  std::stop_source stop;
  const HistoryOptions options{stop.get_token(), [&](std::uint32_t at, std::uint32_t of) {
                                 CHECK(of == 200);
                                 done.push_back(at);
                                 if (at > 100) stop.request_stop();
                               }};
  const auto history = build_history(b.capture, b.pass(), options);
  REQUIRE_FALSE(history.has_value());
  CHECK(history.error().kind == ErrorKind::kBusy);
  CHECK(done == std::vector<std::uint32_t>{0, 64, 128});
}

}  // namespace
}  // namespace vizd::history_test
