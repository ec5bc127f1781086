// What is known of ops, and who is told when it may differ.
#include "formats/tinygrad/v2026_08/op_facts.h"

#include "support/catch.h"
#include "support/tinygrad_graph.h"

namespace vizd::tinygrad_2026_08::op_facts_test {

TEST_CASE("an op whose expression a label was made of tells its users that it may differ, however many ops it takes",
          "[tinygrad]") {
  MadeGraph made;
  OpId sum = made.variable("a", 0, 9);
  std::vector<OpId> sums;
  for (int i = 0; i < 80; ++i) {
    sums.push_back(sum);
    sum = made.op(Ops::kAdd, Scalar::kWeakint, {sum, made.variable("v" + std::to_string(i), 0, 9)});
  }
  const OpId other = made.op(Ops::kMul, Scalar::kWeakint, {sum, sum});
  const OpId user = made.op(Ops::kMul, Scalar::kWeakint, {sum, made.whole(2)});
  OpFacts facts(made.capture.ops);
  REQUIRE(facts.get(user).expr == kNoExpr);  // too large to be kept
  CHECK_FALSE(facts.refresh(sum));           // nobody asked
  REQUIRE(facts.expression(user) != kNoExpr);
  CHECK(facts.refresh(sum));
  CHECK(facts.refresh(sums.back()));
  CHECK(facts.refresh(user));
  CHECK_FALSE(facts.refresh(sums[2]));                    // small: what it is as an expression is the same
  CHECK_FALSE(facts.refresh((facts.get(other), other)));  // no part of what was asked for
  facts.forget(sum);
  facts.get(sum);
  CHECK_FALSE(facts.refresh(sum));  // the id is another op's now
}

}  // namespace vizd::tinygrad_2026_08::op_facts_test
