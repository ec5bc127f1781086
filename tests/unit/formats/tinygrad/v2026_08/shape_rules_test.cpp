#include "formats/tinygrad/v2026_08/shape_rules.h"

#include "formats/tinygrad/v2026_08/expr_text.h"
#include "formats/tinygrad/v2026_08/op_facts.h"
#include "support/catch.h"
#include "support/tinygrad_graph.h"

namespace vizd::tinygrad_2026_08::shape_rules_test {
namespace {

constexpr Scalar kFloat = Scalar::kFloat32;

// "(3,4)", or "none", or "raises".
std::string shape(MadeGraph& g, OpId id) {
  OpFacts facts(g.capture.ops);
  const ValueText values(g.capture.ops);
  ExprText texts(facts.simplifier(), values);
  const ShapeId found = facts.get(id).shape;
  return found == ShapeId::kNone ? "none" : found == ShapeId::kRaises ? "raises" : texts.shape(found);
}

}  // namespace

TEST_CASE("leaves of 2026-08 have the shape that they say, or that of one number") {
  MadeGraph g;
  CHECK(shape(g, g.tensor(0, {3, 4})) == "(3,4)");
  CHECK(shape(g, g.op(Ops::kBuffer, kFloat, {}, g.parameter(0, kNoneValue, kNoneValue))) == "()");
  CHECK(shape(g, g.real(2.5)) == "()");
  CHECK(shape(g, g.sizes({3, 4, 5})) == "(3)");
  CHECK(shape(g, g.op(Ops::kStack, kFloat, {g.tensor(0, {3, 4}), g.tensor(1, {3, 4})})) == "(2,3,4)");
  CHECK(shape(g, g.range(0, g.whole(16), "LOOP", 12)) == "()");
  const ValueId bytes = g.v.bytes("abcd");
  CHECK(shape(g, g.op(Ops::kBinary, Scalar::kUint8, {}, bytes)) == "(4)");
}

TEST_CASE("ops of 2026-08 that hold no values have no shape") {
  MadeGraph g;
  const OpId x = g.tensor(0, {3});
  for (const Ops op : {Ops::kSink, Ops::kBarrier, Ops::kGroup, Ops::kTuple, Ops::kLinear, Ops::kIf}) {
    CHECK(shape(g, g.op(op, Scalar::kVoid, {x})) == "none");
  }
  CHECK(shape(g, g.op(Ops::kNoop, Scalar::kVoid, {})) == "none");
  CHECK(shape(g, g.op(Ops::kNoop, kFloat, {x})) == "(3)");
  CHECK(shape(g, g.op(Ops::kCustom, Scalar::kVoid, {x})) == "none");
  CHECK(shape(g, g.op(Ops::kCustom, kFloat, {x})) == "(3)");
}

TEST_CASE("operands of 2026-08 are spread to one shape, where sizes agree or are 1") {
  MadeGraph g;
  const OpId x = g.tensor(0, {3, 4});
  const auto sum = [&](OpId other) { return shape(g, g.op(Ops::kAdd, kFloat, {x, other})); };
  CHECK(sum(g.tensor(1, {3, 4})) == "(3,4)");
  CHECK(sum(g.real(1)) == "(3,4)");
  CHECK(sum(g.tensor(1, {3, 1})) == "(3,4)");
  CHECK(sum(g.tensor(1, {4})) == "(3,4)");
  CHECK(sum(g.tensor(1, {2, 1, 1})) == "(2,3,4)");
  CHECK(sum(g.tensor(1, {3})) == "raises");
  CHECK(sum(g.op(Ops::kSink, Scalar::kVoid, {})) == "raises");
}

TEST_CASE("views of 2026-08 have the shape that they are moved to, where that can be") {
  MadeGraph g;
  const OpId x = g.tensor(0, {3, 4});
  const auto moved = [&](Ops op, const std::vector<OpId>& more, ValueId arg = kNoneValue) {
    std::vector<OpId> sources{x};
    sources.insert(sources.end(), more.begin(), more.end());
    return shape(g, g.op(op, kFloat, sources, arg));
  };
  CHECK(moved(Ops::kReshape, {g.sizes({2, 6})}) == "(2,6)");
  CHECK(moved(Ops::kReshape, {g.whole(12)}) == "(12)");
  CHECK(moved(Ops::kReshape, {g.sizes({5, 5})}) == "raises");
  CHECK(moved(Ops::kExpand, {g.sizes({2})}) == "(2,3,4)");
  CHECK(moved(Ops::kPermute, {}, g.ints({1, 0})) == "(4,3)");
  CHECK(moved(Ops::kPermute, {}, g.ints({1, 1})) == "raises");
  CHECK(moved(Ops::kPermute, {}, g.ints({0})) == "raises");
  CHECK(moved(Ops::kFlip, {}, g.tuple({g.v.boolean(true), g.v.boolean(false)})) == "(3,4)");
  CHECK(moved(Ops::kFlip, {}, g.tuple({g.v.boolean(true)})) == "raises");
  CHECK(moved(Ops::kPad, {g.sizes({0, 1}), g.sizes({3, 7})}) == "(3,7)");
  CHECK(moved(Ops::kPad, {g.sizes({0, 4}), g.sizes({3, 7})}) == "raises");
  CHECK(moved(Ops::kShrink, {g.sizes({1, 0}), g.sizes({2, 4})}) == "(2,4)");
  CHECK(moved(Ops::kShrink, {g.sizes({2, 0}), g.sizes({2, 4})}) == "raises");
}

TEST_CASE("sizes of 2026-08 that depend on a variable are simplified") {
  MadeGraph g;
  const OpId n = g.variable("n", 1, 10);
  const OpId twice = g.op(Ops::kAdd, Scalar::kWeakint, {n, n});
  const OpId x = g.op(Ops::kParam, kFloat, {g.vector({twice, g.whole(4)})}, g.parameter(0, kNoneValue, kNoneValue));
  CHECK(shape(g, x) == "((n*2),4)");
  const OpId eight = g.op(Ops::kMul, Scalar::kWeakint, {n, g.whole(8)});
  CHECK(shape(g, g.op(Ops::kReshape, kFloat, {x, g.vector({eight})})) == "((n*8))");
  CHECK(shape(g, g.op(Ops::kReshape, kFloat, {x, g.vector({n, g.whole(4)})})) == "raises");
}

TEST_CASE("an index of 2026-08 takes axes away, and brings those of what it is indexed by") {
  MadeGraph g;
  const OpId x = g.tensor(0, {3, 4, 5}), r = g.range(0, g.whole(3), "LOOP", 12);
  CHECK(shape(g, g.op(Ops::kIndex, kFloat, {x, r})) == "(4,5)");
  CHECK(shape(g, g.op(Ops::kIndex, kFloat, {x, r, r, r})) == "()");
  CHECK(shape(g, g.op(Ops::kIndex, kFloat, {x, g.sizes({0, 1})})) == "(2,4,5)");
}

TEST_CASE("reductions, bit casts and stages of 2026-08 change some axes") {
  MadeGraph g;
  const OpId x = g.tensor(0, {3, 4});
  const auto reduced = [&](int axes) {
    const ValueId arg =
        g.tuple({g.v.member("tinygrad.uop.Ops", "ADD", static_cast<int>(Ops::kAdd)), g.v.integer(axes)});
    return shape(g, g.op(Ops::kReduce, kFloat, {x}, arg));
  };
  CHECK(reduced(1) == "(4)");
  CHECK(reduced(2) == "()");
  CHECK(reduced(3) == "raises");
  CHECK(shape(g, g.op(Ops::kBitcast, Scalar::kFloat16, {x})) == "(3,8)");
  CHECK(shape(g, g.op(Ops::kBitcast, Scalar::kFloat64, {x})) == "(3,2)");
  CHECK(shape(g, g.op(Ops::kBitcast, Scalar::kFloat64, {g.tensor(1, {3})})) == "raises");
  CHECK(shape(g, g.op(Ops::kCast, Scalar::kFloat16, {x})) == "(3,4)");
  const OpId r = g.range(0, g.whole(16), "LOOP", 12);
  CHECK(shape(g, g.op(Ops::kStage, kFloat, {g.op(Ops::kIndex, kFloat, {x, r, r}), r})) == "(16)");
  const OpId a = g.tensor(2, {2, 8}), b = g.tensor(3, {2, 4});
  CHECK(shape(g, g.op(Ops::kWmma, kFloat, {a, a, b})) == "(2,4)");
  CHECK(shape(g, g.op(Ops::kWmma, kFloat, {a, a, g.real(0)})) == "raises");
}

TEST_CASE("a tuple of 2026-08 gives the shape of its element, with what the call put in") {
  MadeGraph g;
  const OpId n = g.variable("n", 1, 10);
  const OpId inner = g.op(Ops::kParam, Scalar::kWeakint, {g.vector({})}, g.parameter(0, g.ints({1, 10}), kNoneValue));
  const OpId x = g.op(Ops::kParam, kFloat, {g.vector({inner})}, g.parameter(1, kNoneValue, kNoneValue));
  const OpId tuple = g.op(Ops::kTuple, Scalar::kVoid, {x, g.tensor(2, {7})});
  CHECK(shape(g, g.op(Ops::kGettuple, kFloat, {tuple}, g.v.integer(1))) == "(7)");
  CHECK(shape(g, g.op(Ops::kGettuple, kFloat, {tuple}, g.v.integer(2))) == "raises");
  const OpId call = g.op(Ops::kFunction, Scalar::kVoid, {tuple, n});
  CHECK(shape(g, g.op(Ops::kGettuple, kFloat, {call}, g.v.integer(0))) == "(n)");
}

TEST_CASE("an op of 2026-08 whose source's shape raises has none either") {
  MadeGraph g;
  const OpId wrong = g.op(Ops::kReshape, kFloat, {g.tensor(0, {3}), g.sizes({2, 2})});
  CHECK(shape(g, g.op(Ops::kNeg, kFloat, {wrong})) == "raises");
  CHECK(shape(g, g.op(Ops::kSink, Scalar::kVoid, {wrong})) == "raises");
}

}  // namespace vizd::tinygrad_2026_08::shape_rules_test
