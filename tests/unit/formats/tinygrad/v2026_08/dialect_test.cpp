// The boxes of ops of 2026-08, a kind each: what tinygrad's serve.py (uop_to_json) makes their labels of.
#include "formats/tinygrad/v2026_08/dialect.h"

#include "support/catch.h"
#include "support/tinygrad_graph.h"

namespace vizd::tinygrad_2026_08::dialect_test {
namespace {

constexpr Scalar kFloat = Scalar::kFloat32;

std::string label(MadeGraph& g, OpId id) { return ShownGraph(g, id).label(); }

// A loop's number in the colour of its axis.
std::string coloured(int colour, int number) {
  return "\x1b[" + std::to_string(colour) + "m" + std::to_string(number) + "\x1b[0m";
}

}  // namespace

TEST_CASE("a constant of 2026-08 is a line in its user's box") {
  MadeGraph g;
  const OpId x = g.tensor(0, {3, 4});
  CHECK(label(g, g.op(Ops::kMul, kFloat, {x, g.real(0.1)})) == "MUL\ndtypes.float\nCONST1 0.1\n(3,4)");
  CHECK(label(g, g.op(Ops::kWhere, kFloat, {g.truth(true), x, g.real(1e20)})) ==
        "WHERE\ndtypes.float\nCONST0 True\nCONST2 1e+20\n(3,4)");
  CHECK(label(g, g.real(2.5)) == "CONST\n2.5\ndtypes.float\n()");
}

TEST_CASE("sizes of views and parameters of 2026-08 are lines in their boxes") {
  MadeGraph g;
  const OpId x = g.tensor(0, {3, 4});
  CHECK(label(g, g.op(Ops::kReshape, kFloat, {x, g.sizes({2, 6})})) ==
        "RESHAPE\ndtypes.float\nSTACK1 {2,6} Ops.CONST\n(2,6)");
  CHECK(label(g, g.op(Ops::kPermute, kFloat, {x}, g.ints({1, 0}))) == "PERMUTE\n(1,0)\ndtypes.float\n(4,3)");
  CHECK(label(g, g.op(Ops::kReshape, kFloat, {x, g.sizes({5, 5})})) ==
        "RESHAPE\ndtypes.float\nSTACK1 {5,5} Ops.CONST\n<ISSUE GETTING LABEL>");
  const OpId spread = g.op(Ops::kExpand, kFloat, {g.real(1), g.sizes({3, 4})});
  CHECK(label(g, g.op(Ops::kAdd, kFloat, {x, spread})) == "ADD\ndtypes.float\nCONST1 1\n(3,4)");
}

TEST_CASE("an op of 2026-08 shows the loops it stands in, and its index") {
  MadeGraph g;
  const OpId outer = g.range(0, g.whole(16), "GLOBAL", 2), inner = g.range(1, g.whole(4), "REDUCE", 7);
  CHECK(label(g, outer) == "RANGE\n(0, AxisType.GLOBAL)\ndtypes.weakint\nCONST0 16\n(" + coloured(34, 0) + ")\n()");
  const OpId row = g.op(Ops::kMul, Scalar::kWeakint, {inner, g.whole(16)});
  const OpId at = g.op(Ops::kAdd, Scalar::kWeakint, {row, outer});
  const OpId indexed = g.op(Ops::kIndex, kFloat, {g.tensor(0, {64}), at});
  const std::string both = "\n(" + coloured(34, 0) + "," + coloured(31, 1) + ")\n()";
  CHECK(label(g, indexed) == "INDEX\ndtypes.float" + both + "\n[r1*16+r0]\nr1=4 r0=16");
  const OpId load = g.op(Ops::kLoad, kFloat, {indexed});
  CHECK(label(g, load) == "LOAD\ndtypes.float" + both);
  const ValueId add = g.v.member("tinygrad.uop.Ops", "ADD", static_cast<int>(Ops::kAdd));
  const OpId sum = g.op(Ops::kReduce, kFloat, {load, inner}, g.tuple({add, g.v.integer(0)}));
  CHECK(label(g, sum) ==
        "REDUCE\n(Ops.ADD, 0)\ndtypes.float\n(" + coloured(34, 0) + ")\n()\n" + coloured(31, 1) + "(4)");
  CHECK(label(g, g.op(Ops::kEnd, Scalar::kVoid, {sum, outer})) == "END\n()\n" + coloured(34, 0) + "(16)");
}

TEST_CASE("an index of 2026-08 that is made of many ops is not printed") {
  MadeGraph g;
  OpId at = g.range(0, g.whole(16), "LOOP", 12);
  for (int i = 1; i < 20; ++i) at = g.op(Ops::kMul, Scalar::kWeakint, {at, g.variable("v" + std::to_string(i), 1, 9)});
  const std::string text = label(g, g.op(Ops::kIndex, kFloat, {g.tensor(0, {64}), at}));
  CHECK(text == "INDEX\ndtypes.float\n(" + coloured(97, 0) + ")\n()\nINDEX TOO LARGE\nr0=16");
}

TEST_CASE("arguments of 2026-08 lose colons, are unescaped and wrapped; bytes are counted") {
  MadeGraph g;
  CHECK(label(g, g.op(Ops::kCustom, Scalar::kVoid, {}, g.v.string("a::b \\x41"))) == "CUSTOM\nab A");
  CHECK(label(g, g.op(Ops::kBinary, Scalar::kUint8, {},
                      g.v.bytes("\x7f"
                                "ELF"))) == "BINARY\n<4 bytes>\ndtypes.uchar\n(4)");
}

TEST_CASE("a kernel's call of 2026-08 names its body and leads to what compiled it") {
  MadeGraph g;
  const OpId body = g.op(Ops::kSink, Scalar::kVoid, {g.op(Ops::kNoop, Scalar::kVoid, {})});
  const OpId call = g.op(Ops::kCall, Scalar::kVoid, {body, g.tensor(0, {3})});
  const std::string plain = label(g, call);
  CHECK(plain.starts_with("CALL\n"));
  CHECK(plain.ends_with("\nOps.SINK"));
  CHECK(plain.size() == std::string_view("CALL\n01234567\nOps.SINK").size());
  g.capture.rewrites.contexts.push_back({.name = g.capture.strings.add("r_3")});
  g.capture.rewrites.context_by_op[body] = ContextId{0};
  ShownGraph shown(g, call);
  CHECK(shown.label() == plain + "\ncodegen@r_3");
  CHECK(shown.analysis().ref(call) == ContextId{0});
  CHECK(shown.analysis().ref(body) == std::nullopt);
  // Where what a body is made of changes, so does the key that the call's label shows.
  CHECK(shown.analysis().refresh(g.capture.ops.src(body)[0]));
  CHECK(shown.analysis().refresh(body));
}

TEST_CASE("the memory that a value of 2026-08 lies in has a colour") {
  MadeGraph g;
  const OpId x = g.tensor(0, {3}), r = g.range(0, g.whole(3), "LOOP", 12);
  ShownGraph shown(g, g.op(Ops::kIndex, kFloat, {x, r}));
  CHECK(shown.analysis().memory_colour(x) == "#75bd7b");
  CHECK(shown.analysis().memory_colour(r) == "#AAAAAA");
  CHECK(shown.analysis().memory_colour(g.real(1)) == std::nullopt);
}

TEST_CASE("a graph of 2026-08 prints as the Python that makes it") {
  MadeGraph g;
  const OpId sum = g.op(Ops::kAdd, Scalar::kWeakint, {g.whole(2), g.whole(3)});
  CHECK(ShownGraph(g, sum).analysis().print(sum) == "ast = UOp.const(2, dtypes.weakint)+UOp.const(3, dtypes.weakint)");
}

TEST_CASE("names, colours and tags of 2026-08 are tinygrad's, and a rewrite that raised is one op") {
  MadeGraph g;
  const OpId tagged = g.op(Ops::kNoop, Scalar::kVoid, {}, kNoneValue, g.ints({1, 2}));
  ShownGraph shown(g, tagged);
  const auto number = [](Ops op) { return static_cast<std::uint16_t>(op); };
  CHECK(shown.dialect().kind_name(number(Ops::kFloordiv)) == "FLOORDIV");
  CHECK(shown.dialect().kind_name(4321) == "UNKNOWN");
  CHECK(shown.dialect().kind_colour(number(Ops::kCall)) == "#00B7C8");
  CHECK(shown.dialect().kind_colour(number(Ops::kPad)) == "#D8F9E4");
  CHECK(shown.dialect().kind_colour(number(Ops::kSink)) == "#ffffff");
  CHECK(shown.analysis().tag(tagged) == "(1, 2)");
  const OpId error = shown.dialect().error_op(g.capture.ops, "infinite loop in fixed_point_rewrite");
  CHECK(label(g, error) == "REWRITE_ERROR\ninfinite loop in fixed_point_rewrite");
  CHECK(label(g, shown.dialect().error_op(g.capture.ops, "anything")) == "REWRITE_ERROR\nthe rewrite raised an error");
}

TEST_CASE("an instruction of the x86 renderer has its name, and the register that it writes as its tag") {
  MadeGraph g;
  const ValueId add = g.v.member("tinygrad.renderer.isa.x86.X86Ops", "ADDi", 172);
  const ValueId rsi =
      g.object("tinygrad.renderer.isa.Register", {{"name", g.v.string("rsi")}, {"index", g.v.integer(6)}});
  const OpId instruction = g.op(Ops::kIns, Scalar::kInt32, {}, add, rsi);
  CHECK(label(g, instruction).starts_with("INS\nX86Ops.ADDi\n"));
  CHECK(ShownGraph(g, instruction).analysis().tag(instruction) == "rsi");
}

TEST_CASE("an instruction of an AMD GPU prints as tinygrad prints it, by its class and bits") {
  MadeGraph g;
  const auto text = [&](std::string_view format, ValueId bits) {
    const std::string type = "tinygrad.runtime.autogen.amd." + std::string(format);
    return label(g, g.op(Ops::kIns, Scalar::kVoid, {}, g.object(type, {{"_raw", bits}})));
  };
  CHECK(text("rdna3.ins.VOP1", g.v.integer(2114192114)) == "INS\nv_mov_b32_e32(v[2], 1.0)");
  CHECK(text("rdna3.ins.VOP3_LIT", g.v.big_integer("59343750633530589859619733507")) ==
        "INS\nv_fma_f32(v[3], v[1], v[2], LIT, 0, 0, 0, 0, 0, 3217031168)");
  // No such format, no bits, more bits than any instruction has.
  CHECK(text("rdna3.ins.VOP9", g.v.integer(1)) == "INS\n<tinygrad.runtime.autogen.amd.rdna3.ins.VOP9>");
  CHECK(text("rdna9.ins.VOP1", g.v.integer(1)) == "INS\n<tinygrad.runtime.autogen.amd.rdna9.ins.VOP1>");
  CHECK(text("rdna3.ins.VOP1", kNoneValue) == "INS\n<tinygrad.runtime.autogen.amd.rdna3.ins.VOP1>");
  CHECK(text("rdna3.ins.VOP1", g.v.big_integer("999999999999999999999999999999999999999999")) ==
        "INS\n<tinygrad.runtime.autogen.amd.rdna3.ins.VOP1>");
}

}  // namespace vizd::tinygrad_2026_08::dialect_test
