#include "rewrite/match_detail.h"

#include "support/catch.h"
#include "unit/rewrite/toy_capture.h"

namespace vizd::match_detail_test {
namespace {

using toy::Builder;
using toy::kAdd;
using toy::kConst;
using toy::kLeaf;
using toy::kSink;

TEST_CASE("a match tells both texts, their difference, its rule and the boxes it made") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), c = b.op(kLeaf, {}, 2), one = b.op(kConst, {}, 1);
  const OpId sum = b.op(kAdd, {a, c}), other = b.op(kAdd, {a, one});
  b.pass().sink = b.op(kSink, {sum});
  b.match(sum, other);
  const auto history = build_history(b.capture, b.pass(), {});
  REQUIRE(history.has_value());
  const auto detail = match_detail(b.capture, b.pass(), *history, 1);
  REQUIRE(detail.has_value());
  CHECK(detail->before == "LEAF 1 weight 1\nLEAF 2 weight 2\nADD 0 weight 3");
  CHECK(detail->after == "LEAF 1 weight 1\nCONST 1 weight 1\nADD 0 weight 2");
  CHECK(detail->diff == std::vector<std::string>{" LEAF 1 weight 1", "-LEAF 2 weight 2", "-ADD 0 weight 3",
                                                 "+CONST 1 weight 1", "+ADD 0 weight 2"});
  CHECK(detail->match.before == sum);
  const StateGraph state = graph_at(b.capture, *history, 1);
  REQUIRE(detail->changed.size() == 2);  // the constant is no box
  CHECK(state.op_of_node[index(detail->changed[0])] == a);
  CHECK(state.op_of_node[index(detail->changed[1])] == other);
  CHECK(state_text(b.capture, *history, 1).value() == detail->after + "\nSINK 0 weight 2\n");
}

TEST_CASE("states that are not there are errors") {
  Builder b;
  b.pass().sink = b.op(kLeaf, {});
  const auto history = build_history(b.capture, b.pass(), {});
  REQUIRE(history.has_value());
  CHECK(match_detail(b.capture, b.pass(), *history, 0).error().kind == ErrorKind::kNotFound);
  CHECK(match_detail(b.capture, b.pass(), *history, 1).error().kind == ErrorKind::kNotFound);
  CHECK(state_text(b.capture, *history, 1).error().kind == ErrorKind::kNotFound);
  CHECK(state_text(b.capture, *history, 0).has_value());
}

}  // namespace
}  // namespace vizd::match_detail_test
