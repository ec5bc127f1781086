#include "rewrite/replay.h"

#include <algorithm>
#include <random>
#include <unordered_map>

#include "rewrite/substitute.h"
#include "support/catch.h"
#include "unit/rewrite/plain_replay.h"
#include "unit/rewrite/random_pass.h"
#include "unit/rewrite/toy_capture.h"

namespace vizd::replay_test {
namespace {

using toy::Builder;
using toy::kAdd;
using toy::kConst;
using toy::kLeaf;
using toy::kMul;
using toy::kSink;
using toy::PlainReplay;

// What the live graph promises of itself.
void check_invariants(const LiveGraph& graph, const OpGraph& capture_ops) {
  const std::vector<OpId> ops = toposort(graph.ops(), graph.root());
  REQUIRE(graph.linked_ops() == ops.size());
  OpGraph distinct(&capture_ops);
  std::unordered_map<OpId, OpId> ids;
  std::unordered_map<OpId, std::size_t> uses;
  std::size_t edges = 0;
  for (const OpId id : ops) {
    const Op op = graph.ops().op(id);
    std::vector<OpId> src;
    for (const OpId source : op.src) {
      src.push_back(ids.at(source));
      ++uses[source];
      ++edges;
      REQUIRE(graph.rank(source) < graph.rank(id));
    }
    const OpId known = capture_ops.find(op.kind, op.dtype, src, op.arg, op.tag);
    REQUIRE(graph.capture_op(id) == known);
    if (known != OpId{kNoId}) REQUIRE(graph.find(known) == id);
    REQUIRE(graph.is_linked(id));
    const std::size_t before = distinct.size();
    ids[id] = distinct.add(op.kind, op.dtype, src, op.arg, op.tag);
    REQUIRE((known != OpId{kNoId} || distinct.size() == before + 1));  // no two are equal
  }
  REQUIRE(graph.linked_edges() == edges);
  for (const OpId id : ops) {
    std::size_t users = 0;
    graph.for_each_user(id, [&](OpId) { ++users; });
    REQUIRE(users == uses[id]);
  }
}

// Replays a pass and holds every state against the plain replay. Returns how many states were errors.
std::size_t check_pass(const Capture& capture) {
  const Pass& pass = capture.rewrites.passes[0];
  Replay replay(capture, pass);
  PlainReplay plain(capture, pass.restarts_from_sink, pass.sink);
  std::size_t errors = 0;
  for (;;) {
    INFO("state " << replay.state());
    check_invariants(replay.graph(), capture.ops);
    REQUIRE(plain.import(replay.graph().ops(), replay.graph().root()) == plain.state());
    REQUIRE((replay.error() == nullptr ? "" : *replay.error()) == plain.error());
    errors += replay.error() != nullptr;
    if (replay.at_end()) return errors;
    const Match& match = capture.rewrites.matches_of(pass)[replay.state()];
    plain.match(match.before, match.after);
    replay.advance();
  }
}

TEST_CASE("an op is replaced and its ancestors read the replacement") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), c = b.op(kLeaf, {}, 2);
  const OpId sum = b.op(kAdd, {a, c}), top = b.op(kMul, {sum, a});
  b.pass().sink = b.op(kSink, {top});
  b.match(sum, c);
  b.pass().restarts_from_sink = GENERATE(false, true);
  CHECK(check_pass(b.capture) == 0);
  Replay replay(b.capture, b.pass());
  const OpId live_top = replay.graph().find(top);
  replay.advance();
  CHECK(replay.graph().changes().rewired == std::vector{live_top});  // the sink above is the same, op by op
  CHECK(replay.graph().changes().born.empty());
  CHECK(replay.graph().changes().died.size() == 1);
}

TEST_CASE("two ops that become equal become one") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), c = b.op(kLeaf, {}, 2);
  const OpId x = b.op(kMul, {a}), y = b.op(kMul, {c});
  b.pass().sink = b.op(kSink, {b.op(kAdd, {x, a}), b.op(kAdd, {y, a})});
  b.match(c, a);
  b.pass().restarts_from_sink = GENERATE(false, true);
  CHECK(check_pass(b.capture) == 0);
}

TEST_CASE("an ancestor made again that was replaced earlier is replaced again") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), c = b.op(kLeaf, {}, 2), d = b.op(kLeaf, {}, 3);
  const OpId over_a = b.op(kMul, {a}), over_c = b.op(kMul, {c});
  b.pass().sink = b.op(kSink, {over_a, d});
  b.match(over_c, d);  // not there yet
  b.match(a, c);       // makes over_c
  b.pass().restarts_from_sink = GENERATE(false, true);
  CHECK(check_pass(b.capture) == 0);
}

TEST_CASE("only a pass that restarts sees an op that an earlier replacement hid") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), c = b.op(kLeaf, {}, 2), d = b.op(kLeaf, {}, 3);
  const OpId over = b.op(kMul, {a});
  b.pass().sink = b.op(kSink, {over});
  b.match(a, c);
  b.match(over, d);
  b.pass().restarts_from_sink = GENERATE(false, true);
  CHECK(check_pass(b.capture) == 0);
  Replay replay(b.capture, b.pass());
  replay.advance();
  replay.advance();
  CHECK((replay.graph().find(d) != OpId{kNoId}) == b.pass().restarts_from_sink);
}

TEST_CASE("a replacement that holds what it replaces is the reference's error") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), c = b.op(kLeaf, {}, 2);
  b.pass().sink = b.op(kSink, {b.op(kAdd, {a, c})});
  b.match(a, b.op(kMul, {a}));
  b.match(c, a);
  b.match(a, c);  // overwrites, and is a circle with the last one
  b.match(c, c);  // takes that one back
  b.pass().restarts_from_sink = GENERATE(false, true);
  CHECK(check_pass(b.capture) == (b.pass().restarts_from_sink ? 3 : 1));
}

TEST_CASE("an error's own op can be matched") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), c = b.op(kLeaf, {}, 2);
  b.pass().sink = b.op(kSink, {a});
  const OpId error = b.capture.dialect->error_op(b.capture.ops, "infinite loop in fixed_point_rewrite");
  b.match(error, b.op(kMul, {error}));
  b.match(a, c);
  b.match(c, a);
  b.match(b.op(kLeaf, {}, 9), a);
  b.match(error, c);
  b.pass().restarts_from_sink = GENERATE(false, true);
  CHECK(check_pass(b.capture) > 1);
}

TEST_CASE("a graph too wide for the reference's stack is its error") {
  // The root waits for its sources, all on the stack at once, and the one replaced stands there twice.
  const auto [sources, overflows] = GENERATE(std::pair(199'997, false), std::pair(199'998, true));
  Builder b;
  const OpId a = b.op(kLeaf, {}, -1), c = b.op(kLeaf, {}, -2);
  std::vector<OpId> src{a};
  for (int i = 1; i < sources; ++i) src.push_back(b.op(kLeaf, {}, i));
  b.pass().sink = b.op(kSink, src);
  b.match(a, a);  // takes nothing's place, so that the reference does not even begin
  b.match(a, c);
  b.pass().restarts_from_sink = GENERATE(false, true);
  Replay replay(b.capture, b.pass());
  replay.advance();
  CHECK(replay.error() == nullptr);
  replay.advance();
  REQUIRE((replay.error() != nullptr) == overflows);
  if (overflows) CHECK(*replay.error() == "infinite loop in graph_rewrite (stack too big)");
  CHECK(replay.graph().linked_ops() == (overflows ? 1 : static_cast<std::size_t>(sources) + 1));
}

TEST_CASE("the reference's stack never grows higher than the replay reckons, which is not much more than it does") {
  std::size_t states = 0, reckoned = 0, highest = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    INFO("seed " << seed);
    Builder b;
    toy::fill_with_random_pass(b, seed);
    b.pass().restarts_from_sink = true;
    Replay replay(b.capture, b.pass());
    OpGraph graph(&b.capture.ops);
    Replacements replacements;
    Substitution substitution(graph, replacements, *b.capture.dialect, {});
    for (const Match& match : b.capture.rewrites.matches_of(b.pass())) {
      replacements.set(match.before, match.after);
      const auto outcome = substitution.run(b.pass().sink);
      replay.advance();
      if (std::holds_alternative<SubstituteError>(outcome)) continue;
      REQUIRE(substitution.highest() <= replay.stack_height());
      ++states;
      highest += substitution.highest();
      reckoned += replay.stack_height();
    }
  }
  CHECK(states > 2000);
  CHECK(reckoned < 8 * highest);
}

TEST_CASE("random graphs and matches replay exactly as the plain replay") {
  std::size_t states = 0, errors = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    INFO("seed " << seed);
    Builder b;
    toy::fill_with_random_pass(b, seed);
    errors += check_pass(b.capture);
    states += b.pass().match_count;
  }
  CHECK(errors > 100);
  CHECK(states > 2 * errors);
}

}  // namespace
}  // namespace vizd::replay_test
