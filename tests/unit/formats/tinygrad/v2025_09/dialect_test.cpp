// What tinygrad's viewer shows of ops, one op at a time. Every expected text is the answer of tinygrad at 461e9becec:
// its serve.py (uop_to_json) for labels, colours, refs and tags, its str() for printed graphs.
#include "formats/tinygrad/v2025_09/dialect.h"

#include <string>

#include "formats/tinygrad/v2025_09/ops.h"
#include "support/catch.h"

namespace vizd::tinygrad_2025_09::dialect_test {
namespace {

// Makes ops and values as tinygrad's constructors do.
struct Builder {
  Capture capture;
  ValueTable& v = capture.values;

  ValueId none = kNoneValue;
  ValueId of_void = dtype("void", 0), of_index = dtype("index", 100), of_bool = dtype("bool", 1),
          of_float = dtype("float", 4), of_half = dtype("half", 2);
  ValueId pointer16 = pointer(of_float, 16, "GLOBAL", 1);

  OpId op(Ops kind, ValueId type, const std::vector<OpId>& sources = {}, ValueId arg = kNoneValue,
          ValueId tag = kNoneValue) {
    return capture.ops.add(static_cast<std::uint16_t>(kind), type, sources, arg, tag);
  }
  ValueId object(std::string_view type, const std::vector<std::pair<std::string_view, ValueId>>& fields) {
    std::vector<ValueId> items;
    for (const auto& [name, value] : fields) {
      items.push_back(v.string(name));
      items.push_back(value);
    }
    return v.object(type, items);
  }
  ValueId dtype(std::string_view name, int size_bytes, int count = 1, ValueId scalar = kNoneValue) {
    return object("tinygrad.dtype.DType", {{"priority", v.integer(1)},
                                           {"itemsize", v.integer(size_bytes)},
                                           {"name", v.string(name)},
                                           {"fmt", none},
                                           {"count", v.integer(count)},
                                           {"_scalar", scalar}});
  }
  ValueId pointer(ValueId base, int elements, std::string_view space, int space_number) {
    return object("tinygrad.dtype.PtrDType", {{"priority", v.integer(1)},
                                              {"itemsize", v.integer(4)},
                                              {"name", v.string("x")},
                                              {"fmt", none},
                                              {"count", v.integer(1)},
                                              {"_scalar", none},
                                              {"_base", base},
                                              {"addrspace", v.member("tinygrad.dtype.AddrSpace", space, space_number)},
                                              {"v", v.integer(1)},
                                              {"size", v.integer(elements)}});
  }
  ValueId tuple(const std::vector<ValueId>& items) { return v.sequence(ValueKind::kTuple, items); }
  ValueId ints(const std::vector<int>& numbers) {
    std::vector<ValueId> items;
    for (const int number : numbers) items.push_back(v.integer(number));
    return tuple(items);
  }
  ValueId view(const std::vector<int>& shape, const std::vector<int>& strides, int offset = 0,
               ValueId mask = kNoneValue, bool contiguous = true) {
    return object("tinygrad.shape.view.View", {{"shape", ints(shape)},
                                               {"strides", ints(strides)},
                                               {"offset", v.integer(offset)},
                                               {"mask", mask},
                                               {"contiguous", v.boolean(contiguous)}});
  }
  ValueId tracker(const std::vector<ValueId>& views) {
    return object("tinygrad.shape.shapetracker.ShapeTracker", {{"views", tuple(views)}});
  }
  ValueId member(Ops kind) { return v.member("tinygrad.uop.Ops", op_name(kind), static_cast<int>(kind)); }

  OpId real(double value, std::vector<OpId> sources = {}) { return op(Ops::kConst, of_float, sources, v.real(value)); }
  OpId whole(int value) { return op(Ops::kConst, of_index, {}, v.integer(value)); }
  OpId device() { return op(Ops::kDevice, of_void, {}, v.string("CPU")); }
  OpId buffer() {
    return op(Ops::kBuffer, of_float, {op(Ops::kUnique, of_void, {}, v.integer(7)), device()}, v.integer(12));
  }
  OpId matrix() { return op(Ops::kView, of_float, {buffer()}, tracker({view({3, 4}, {4, 1})})); }
  OpId range(int number, int end, std::string_view axis, int axis_number) {
    return op(Ops::kRange, of_index, {whole(end)},
              tuple({v.integer(number), v.member("tinygrad.uop.ops.AxisType", axis, axis_number)}));
  }
  OpId global_range() { return range(0, 16, "GLOBAL", 1); }
  OpId reduced_range() { return range(1, 4, "REDUCE", 6); }
  OpId output() { return op(Ops::kDefineGlobal, pointer16, {}, v.integer(0)); }
  OpId address() {
    const OpId row = op(Ops::kMul, of_index, {reduced_range(), whole(4)});
    return op(Ops::kIndex, pointer16, {output(), op(Ops::kAdd, of_index, {row, global_range()})});
  }
  OpId load() { return op(Ops::kLoad, of_float, {address()}); }

  std::string label(OpId id) {
    const auto dialect = make_dialect(capture);
    const auto analysis = dialect->analyse(capture.ops);
    return std::string(analysis->label_text(analysis->label(id)));
  }
  std::string print(OpId id) { return make_dialect(capture)->analyse(capture.ops)->print(id); }
};

}  // namespace

TEST_CASE("a constant is a line in its user's box: its place, its value, where it is from") {
  Builder b;
  CHECK(b.label(b.op(Ops::kMul, b.of_float, {b.output(), b.real(0.1)})).find("\nCONST1 0.1") != std::string::npos);
  const OpId yes = b.op(Ops::kConst, b.of_bool, {}, b.v.boolean(true));
  CHECK(b.label(b.op(Ops::kWhere, b.of_float, {yes, b.real(1e20), b.real(-std::numeric_limits<double>::infinity())})) ==
        "WHERE\ndtypes.float\nCONST0 True\nCONST1 1e+20\nCONST2 -inf");
  CHECK(b.label(b.buffer()) == "BUFFER\n12\ndtypes.float\nUNIQUE0 7\nDEVICE1 CPU");
  const OpId of_view = b.op(Ops::kView, b.of_void, {b.device()}, b.tracker({b.view({3, 4}, {4, 1})}));
  const OpId constant = b.real(2.5, {of_view});
  CHECK(b.label(b.op(Ops::kAdd, b.of_float, {b.matrix(), constant})) ==
        "ADD\ndtypes.float\nCONST1 2.5 Ops.VIEW\n(3,4)");
  CHECK(b.label(constant) ==
        "CONST\n2.5\ndtypes.float\nVIEW0 ShapeTracker(views=(View(shape=(3, 4), strides=(4, 1), offset=0, mask=None, "
        "contiguous=True),)) Ops.DEVICE");
}

TEST_CASE("constants, devices and unique numbers have no box of their own, and a constant takes its view along") {
  Builder b;
  const auto dialect = make_dialect(b.capture);
  const auto analysis = dialect->analyse(b.capture.ops);
  for (const OpId id : {b.whole(1), b.device(), b.op(Ops::kUnique, b.of_void, {}, b.v.integer(1))}) {
    CHECK(analysis->is_inlined(id));
  }
  CHECK_FALSE(analysis->is_inlined(b.buffer()));
  CHECK_FALSE(analysis->is_inlined(b.matrix()));
  CHECK(analysis->inlines_sources(b.whole(1)));
  CHECK_FALSE(analysis->inlines_sources(b.buffer()));
}

TEST_CASE("views and movements show shapes, strides, offsets and masks") {
  Builder b;
  const OpId x = b.matrix();
  const ValueId mask = b.tuple({b.ints({0, 1}), b.ints({0, 3})});
  CHECK(b.label(x) == "VIEW\n(3,4) / (4,1)\ndtypes.float");
  CHECK(b.label(b.op(Ops::kView, b.of_float, {b.buffer()},
                     b.tracker({b.view({2, 3}, {3, 1}, 6, mask, false), b.view({6}, {1})}))) ==
        "VIEW\n(2,3) / (3,1) / 6\nMASK ((0,1),(0,3))\n(6) / (1)\ndtypes.float");
  const auto moved = [&](Ops kind, ValueId arg) { return b.label(b.op(kind, b.of_float, {x}, arg)); };
  CHECK(moved(Ops::kPad, b.tuple({b.ints({0, 0}), b.ints({1, 2})})) == "PAD\n((0,0),(1,2))\ndtypes.float\n(3,7)");
  CHECK(moved(Ops::kShrink, b.tuple({b.ints({0, 2}), b.ints({1, 3})})) == "SHRINK\n((0,2),(1,3))\ndtypes.float\n(2,2)");
  CHECK(moved(Ops::kPermute, b.ints({1, 0})) == "PERMUTE\n(1,0)\ndtypes.float\n(4,3)");
  CHECK(moved(Ops::kFlip, b.tuple({b.v.boolean(true), b.v.boolean(false)})) ==
        "FLIP\n(True,False)\ndtypes.float\n(3,4)");
  const OpId three_by_one = b.op(Ops::kReshape, b.of_float, {x}, b.ints({3, 1, 4}));
  CHECK(b.label(b.op(Ops::kExpand, b.of_float, {three_by_one}, b.ints({3, 5, 4}))) ==
        "EXPAND\n(3,5,4)\ndtypes.float\n(3,5,4)");
  const OpId n = b.op(Ops::kDefineVar, b.of_index, {}, b.tuple({b.v.string("n"), b.v.integer(1), b.v.integer(10)}));
  const OpId size = b.op(Ops::kAdd, b.of_index,
                         {b.op(Ops::kAdd, b.of_index, {b.op(Ops::kMul, b.of_index, {n, b.whole(1)}), b.whole(2)}),
                          b.whole(-2)});  // n*1 + 2 - 2
  const OpId one_more = b.op(Ops::kReshape, b.of_float, {x}, b.ints({1, 3, 4}));
  CHECK(b.label(b.op(Ops::kExpand, b.of_float, {one_more}, b.tuple({b.v.op(size), b.v.integer(3), b.v.integer(4)}))) ==
        "EXPAND\n(n,3,4)\ndtypes.float\n(n,3,4)");
}

TEST_CASE("a shape follows what an op does to its sources'") {
  Builder b;
  const OpId x = b.matrix();
  const ValueId sum = b.tuple({b.member(Ops::kAdd), b.ints({1})});
  CHECK(b.label(b.op(Ops::kReduceAxis, b.of_float, {x}, sum)) ==
        "REDUCE_AXIS\n(<Ops.ADD 63>, (1,))\ndtypes.float\n(3,1)");
  CHECK(b.label(b.op(Ops::kCast, b.of_half, {x})) == "CAST\ndtypes.half\n(3,4)");
  CHECK(b.label(b.op(Ops::kBitcast, b.of_half, {x})) == "BITCAST\ndtypes.half\n(3,8)");
  CHECK(b.label(b.op(Ops::kMselect, b.of_float, {b.buffer()}, b.v.integer(1))) == "MSELECT\n1\ndtypes.float\n(12)");
  CHECK(b.label(b.op(Ops::kCopy, b.of_float, {b.buffer(), b.device()})) == "COPY\ndtypes.float\nDEVICE1 CPU");
  CHECK(b.label(b.op(Ops::kBufferView, b.of_float, {b.buffer()}, b.ints({4, 2}))) ==
        "BUFFER_VIEW\n(4, 2)\ndtypes.float\n(4)");
}

TEST_CASE("an op whose shape tinygrad cannot tell says so") {
  Builder b;
  const OpId x = b.matrix();
  CHECK(b.label(b.op(Ops::kReshape, b.of_float, {x}, b.ints({5, 5}))) ==
        "RESHAPE\n(5,5)\ndtypes.float\n<ISSUE GETTING LABEL>");
  const OpId turned = b.op(Ops::kPermute, b.of_float, {x}, b.ints({1, 0}));
  CHECK(b.label(b.op(Ops::kAdd, b.of_float, {x, turned})) == "ADD\ndtypes.float\n<ISSUE GETTING LABEL>");
}

TEST_CASE("arguments lose colons, are unescaped and wrapped") {
  Builder b;
  CHECK(b.label(b.op(Ops::kCustom, b.of_void, {}, b.v.string("a::b \\x41 \u00e9 \"q\""))) ==
        "CUSTOM\nab A \u00c3\u00a9 \"q\"");
  std::string digits;
  for (int i = 0; i < 17; ++i) digits += "0123456789";
  CHECK(b.label(b.op(Ops::kCustom, b.of_void, {}, b.v.string(digits))) ==
        "CUSTOM\n" + digits.substr(0, 80) + "\n" + digits.substr(80, 80) + "\n0123456789");
}

TEST_CASE("an op without a shape shows the loops it stands in, coloured by what they are") {
  Builder b;
  const std::string global = "\x1b[34m0\x1b[0m", reduced = "\x1b[31m1\x1b[0m",
                    both = "\n(" + global + "," + reduced + ")";
  CHECK(b.label(b.global_range()) == "RANGE\n(0, AxisType.GLOBAL)\ndtypes.index\nCONST0 16\n(" + global + ")");
  CHECK(b.label(b.address()) == "INDEX\ndtypes.float.ptr(16)" + both);
  const OpId x = b.load();
  CHECK(b.label(x) == "LOAD\ndtypes.float" + both);
  CHECK(b.label(b.op(Ops::kReduce, b.of_float, {x, b.reduced_range()}, b.member(Ops::kAdd))) ==
        "REDUCE\nOps.ADD\ndtypes.float\n(" + global + ")");
  CHECK(b.label(b.op(Ops::kStore, b.of_void, {b.address(), x, b.global_range()})) == "STORE\n(" + reduced + ")");
}

TEST_CASE("dtypes print with their count, what they point to, and where") {
  Builder b;
  CHECK(b.label(b.output()) == "DEFINE_GLOBAL\n0\ndtypes.float.ptr(16)\n(16)");
  const ValueId in_registers = b.pointer(b.of_float, 4, "REG", 3);
  CHECK(b.label(b.op(Ops::kDefineReg, in_registers, {}, b.ints({0}))) ==
        "DEFINE_REG\n(0,)\ndtypes.float.ptr(4, AddrSpace.REG)\n(4)");
  const ValueId local = b.pointer(b.dtype("half", 8, 4, b.of_half), 8, "LOCAL", 2);
  CHECK(b.label(b.op(Ops::kDefineLocal, local, {}, b.v.string("temp0"))) ==
        "DEFINE_LOCAL\ntemp0\ndtypes.half.vec(4).ptr(8, AddrSpace.LOCAL)\n(8)");
}

TEST_CASE("a kernel names its syntax tree and leads to what compiled it") {
  Builder b;
  const OpId store = b.op(Ops::kStore, b.of_void, {b.address(), b.load(), b.global_range()});
  const OpId tree = b.op(Ops::kSink, b.of_void, {store});
  const ValueId metadata =
      b.object("tinygrad.helpers.Metadata",
               {{"name", b.v.string("relu")}, {"caller", b.v.string("m.py")}, {"backward", b.v.boolean(false)}});
  const ValueId arg =
      b.object("tinygrad.schedule.kernelize.Kernel", {{"ast", b.v.op(tree)}, {"metadata", b.tuple({metadata})}});
  const OpId kernel = b.op(Ops::kKernel, b.of_void, {b.buffer()}, arg);
  CHECK(b.label(kernel) == "KERNEL\n<Kernel 11 SINK(<Ops.STORE 59>,) (relu - m.py,)>");
  b.capture.rewrites.contexts.push_back({.name = b.capture.strings.add("r_4")});
  b.capture.rewrites.context_by_op[tree] = ContextId{0};
  CHECK(b.label(kernel) == "KERNEL\n<Kernel 11 SINK(<Ops.STORE 59>,) (relu - m.py,)>\ncodegen@r_4");
  const auto dialect = make_dialect(b.capture);
  const auto analysis = dialect->analyse(b.capture.ops);
  CHECK(analysis->ref(kernel) == ContextId{0});
  CHECK(analysis->ref(tree) == std::nullopt);
  CHECK(b.print(kernel) ==
        "UOp(Ops.KERNEL, dtypes.void, arg=<Kernel 11 SINK(<Ops.STORE: 59>,) (relu - m.py,)>, src=(\n"
        "  UOp(Ops.BUFFER, dtypes.float, arg=12, src=(\n"
        "    UOp(Ops.UNIQUE, dtypes.void, arg=7, src=()),\n"
        "    UOp(Ops.DEVICE, dtypes.void, arg='CPU', src=()),)),))");
}

TEST_CASE("a printed graph numbers what is used again, and shows tags") {
  Builder b;
  const OpId x = b.load(), twice = b.op(Ops::kAdd, b.of_float, {x, x});
  const OpId sum = b.op(Ops::kReduceAxis, b.of_float, {b.matrix()}, b.tuple({b.member(Ops::kAdd), b.ints({1})}));
  const OpId sink =
      b.op(Ops::kSink, b.of_void, {b.op(Ops::kMul, b.of_float, {twice, x}), sum}, kNoneValue, b.v.string("t"));
  CHECK(b.print(sink) == R"(UOp(Ops.SINK, dtypes.void, arg=None, tag=t, src=(
  UOp(Ops.MUL, dtypes.float, arg=None, src=(
    UOp(Ops.ADD, dtypes.float, arg=None, src=(
      x2:=UOp(Ops.LOAD, dtypes.float, arg=None, src=(
        UOp(Ops.INDEX, dtypes.float.ptr(16), arg=None, src=(
          UOp(Ops.DEFINE_GLOBAL, dtypes.float.ptr(16), arg=0, src=()),
          UOp(Ops.ADD, dtypes.index, arg=None, src=(
            UOp(Ops.MUL, dtypes.index, arg=None, src=(
              UOp(Ops.RANGE, dtypes.index, arg=(1, AxisType.REDUCE), src=(
                x8:=UOp(Ops.CONST, dtypes.index, arg=4, src=()),)),
               x8,)),
            UOp(Ops.RANGE, dtypes.index, arg=(0, AxisType.GLOBAL), src=(
              UOp(Ops.CONST, dtypes.index, arg=16, src=()),)),)),)),)),
       x2,)),
     x2,)),
  UOp(Ops.REDUCE_AXIS, dtypes.float, arg=(Ops.ADD, (1,)), src=(
    UOp(Ops.VIEW, dtypes.float, arg=ShapeTracker(views=(View(shape=(3, 4), strides=(4, 1), offset=0, mask=None, contiguous=True),)), src=(
      UOp(Ops.BUFFER, dtypes.float, arg=12, src=(
        UOp(Ops.UNIQUE, dtypes.void, arg=7, src=()),
        UOp(Ops.DEVICE, dtypes.void, arg='CPU', src=()),)),)),)),)))");
}

TEST_CASE("names, colours and tags are tinygrad's") {
  Builder b;
  const auto dialect = make_dialect(b.capture);
  CHECK(dialect->kind_name(static_cast<std::uint16_t>(Ops::kReduceAxis)) == "REDUCE_AXIS");
  CHECK(dialect->kind_colour(static_cast<std::uint16_t>(Ops::kMulti)) == "#f6ccff");
  CHECK(dialect->kind_colour(static_cast<std::uint16_t>(Ops::kCustom)) == "#ffffff");  // has none of its own
  CHECK(dialect->value_text(b.tuple({b.v.string("a"), b.v.real(1.0), b.none})) == "('a', 1.0, None)");
  const OpId tagged = b.op(Ops::kNoop, b.of_void, {}, kNoneValue, b.tuple({b.v.integer(1), b.v.string("a")}));
  const auto analysis = dialect->analyse(b.capture.ops);
  CHECK(analysis->tag(tagged) == "(1, 'a')");
  CHECK(analysis->tag(b.device()) == std::nullopt);
  CHECK(analysis->label_text(analysis->label(tagged)) == "NOOP");
}

TEST_CASE("a rewrite that raised is one NOOP with what tinygrad would say") {
  Builder b;
  const auto dialect = make_dialect(b.capture);
  const auto text_of = [&](std::string_view message) { return b.print(dialect->error_op(b.capture.ops, message)); };
  CHECK(text_of("infinite loop in fixed_point_rewrite") ==
        "UOp(Ops.NOOP, dtypes.void, arg='infinite loop in fixed_point_rewrite', src=())");
  CHECK(text_of("infinite loop in graph_rewrite (stack too big)") ==
        "UOp(Ops.NOOP, dtypes.void, arg='infinite loop in graph_rewrite (stack too big)', src=())");
  CHECK(text_of("anything else") == "UOp(Ops.NOOP, dtypes.void, arg='the rewrite raised an error', src=())");
}

}  // namespace vizd::tinygrad_2025_09::dialect_test
